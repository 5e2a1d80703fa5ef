#include "polygraph/windows.h"

#include <algorithm>
#include <tuple>

namespace awdit {

void merge(std::vector<Window>& windows) {
  std::ranges::sort(windows, {}, &Window::first);
  std::size_t kept = 0;
  for (const Window& window : windows) {
    if (kept != 0 && window.first <= windows[kept - 1].last + 1) {
      windows[kept - 1].last = std::max(windows[kept - 1].last, window.last);
    } else {
      windows[kept++] = window;
    }
  }
  windows.resize(kept);
}

std::vector<Window> find_windows(const Polygraph& polygraph, bool real_time,
                                 bool wide) {
  std::vector<Window> windows;
  std::vector<std::uint32_t> latest(polygraph.keys, Polygraph::kInitial);
  std::vector<std::uint32_t> first(polygraph.keys, kNoId);  // [key] -> writer
  // [version] -> the writer of the next one
  std::vector<std::uint32_t> next(polygraph.writer.size(), kNoId);
  for (std::uint32_t t = 0; t < polygraph.txns; ++t) {
    std::uint32_t least = t;
    for (const Polygraph::Read& read : polygraph.reads_of(t)) {
      if (latest[read.key] == read.version) continue;
      if (read.version == Polygraph::kInitial) {
        least = std::min(least, first[read.key]);
      } else {
        least = std::min(
            least, wide ? polygraph.writer[read.version] : next[read.version]);
      }
    }
    if (least != t) windows.push_back({least, t});
    for (const std::uint32_t version : polygraph.writes[t]) {
      std::uint32_t& last = latest[polygraph.key_of[version]];
      if (last == Polygraph::kInitial) {
        first[polygraph.key_of[version]] = t;
      } else {
        next[last] = t;
      }
      last = version;
    }
    if (windows.size() >= 1u << 16) merge(windows);
  }
  for (const Polygraph::Known& known : polygraph.known) {
    const std::uint32_t older = polygraph.writer[known.older];
    const std::uint32_t newer = polygraph.writer[known.newer];
    if (newer < older) windows.push_back({newer, older});
  }
  if (real_time && !polygraph.ended.empty()) {
    // [i] -> the highest up to there, of its clock
    std::vector<std::uint32_t> highest = polygraph.ended;
    const std::vector<std::uint32_t>& begins = polygraph.clock_first;
    for (std::size_t i = 1, clock = 1; i < highest.size(); ++i) {
      while (clock < begins.size() && begins[clock] < i) ++clock;
      if (clock < begins.size() && begins[clock] == i) continue;
      highest[i] = std::max(highest[i - 1], highest[i]);
    }
    const std::size_t clocks = begins.size();
    for (std::uint32_t t = 0; t < polygraph.txns; ++t) {
      for (std::size_t clock = 0; clock < clocks; ++clock) {
        const std::uint32_t behind = polygraph.ended_before[t * clocks + clock];
        if (behind == begins[clock]) continue;
        if (highest[behind - 1] > t)
          windows.push_back({t, highest[behind - 1]});
      }
    }
  }
  merge(windows);
  return windows;
}

Cutter::Cutter(const Polygraph& polygraph, const Budget& budget)
    : polygraph_(polygraph),
      pace_(budget),
      chain_(polygraph.chains, kNoId),
      version_(polygraph.writer.size(), kNoId),
      key_(polygraph.keys, kNoId) {}

Polygraph Cutter::cut(Window window, bool borders) {
  const std::uint32_t first = window.first, last = window.last;
  Polygraph part;
  part.txns = last - first + 1;
  std::vector<std::uint32_t> next;  // [chain of the part] -> position
  std::vector<std::uint32_t> chains;
  struct Version {
    std::uint32_t key, chain, position, version;
  };
  std::vector<Version> versions;
  for (std::uint32_t t = first; t <= last; ++t) {
    std::uint32_t& chain = chain_[polygraph_.chain[t]];
    const bool fresh = chain == kNoId;
    if (fresh) {
      chain = part.chains++;
      chains.push_back(polygraph_.chain[t]);
      next.push_back(0);
    }
    part.chain.push_back(chain);
    part.position.push_back(next[chain]++);
    part.previous.push_back(fresh ? kNoId : polygraph_.previous[t] - first);
    part.linked.push_back(fresh ? 0 : polygraph_.linked[t]);
    for (const std::uint32_t version : polygraph_.writes[t]) {
      versions.push_back(
          {polygraph_.key_of[version], chain, part.position.back(), version});
    }
  }
  for (const std::uint32_t chain : chains) chain_[chain] = kNoId;

  std::ranges::sort(versions, {}, [](const Version& it) {
    return std::tie(it.key, it.chain, it.position);
  });
  std::vector<std::uint32_t> final;  // [key of the part] -> latest version
  for (const Version& version : versions) {
    std::uint32_t& key = key_[version.key];
    const auto number = static_cast<std::uint32_t>(part.writer.size());
    if (key == kNoId) {
      key = part.keys++;
      part.key_first.push_back(number);
      part.key_name.push_back(version.key);
      final.push_back(number);
    }
    version_[version.version] = number;
    part.writer.push_back(polygraph_.writer[version.version] - first);
    if (part.writer[final[key]] < part.writer[number]) final[key] = number;
  }
  part.key_first.push_back(static_cast<std::uint32_t>(part.writer.size()));

  part.read_first.push_back(0);
  for (std::uint32_t t = first; t <= last; ++t) {
    for (const Polygraph::Read& read : polygraph_.reads_of(t)) {
      const std::uint32_t key = key_[read.key];
      if (key == kNoId) continue;
      const bool initial = read.version == Polygraph::kInitial;
      const std::uint32_t version =
          initial ? Polygraph::kInitial : version_[read.version];
      if (!initial && version == kNoId && !borders) continue;
      part.reads.push_back({key, version});
    }
    part.read_first.push_back(static_cast<std::uint32_t>(part.reads.size()));
  }
  static_assert(Polygraph::kInitial == kNoId);  // what comes from before
  pace_.step(8 * versions.size() + polygraph_.known.size() +
             polygraph_.ended.size());

  for (const Polygraph::Known& known : polygraph_.known) {
    const std::uint32_t older = version_[known.older];
    const std::uint32_t newer = version_[known.newer];
    if (older == kNoId || newer == kNoId) continue;
    if (known.shown >= first && known.shown <= last) {
      part.known.push_back({older, newer, known.shown - first});
    } else if (borders) {  // who refutes it does not matter
      part.known.push_back({older, newer, part.writer[newer]});
    }
  }
  if (borders) {
    for (const Version& version : versions) {
      const auto readers = polygraph_.readers[version.version];
      const std::uint32_t number = version_[version.version];
      const std::uint32_t key = key_[version.key];
      if (number != final[key] ||
          std::ranges::none_of(
              readers, [&](std::uint32_t reader) { return reader > last; })) {
        continue;
      }
      for (std::uint32_t v = part.key_first[key]; v < part.key_first[key + 1];
           ++v) {
        pace_.step();
        if (v != number) part.known.push_back({v, number, part.writer[number]});
      }
    }
  }
  for (const Version& version : versions) {
    version_[version.version] = kNoId;
    key_[version.key] = kNoId;
  }

  if (!polygraph_.ended.empty()) {
    std::vector<std::uint32_t> places;  // in `ended`, of those of the part
    for (std::uint32_t i = 0; i < polygraph_.ended.size(); ++i) {
      const std::uint32_t t = polygraph_.ended[i];
      if (t < first || t > last) continue;
      part.ended.push_back(t - first);
      places.push_back(i);
    }
    const auto here = [&](std::uint32_t place) {
      return static_cast<std::uint32_t>(
          std::ranges::lower_bound(places, place) - places.begin());
    };
    const std::size_t clocks = polygraph_.clocks();
    part.clock_first.clear();
    for (const std::uint32_t place : polygraph_.clock_first) {
      part.clock_first.push_back(here(place));
    }
    for (std::size_t i = first * clocks; i < (last + std::size_t{1}) * clocks;
         ++i) {
      part.ended_before.push_back(here(polygraph_.ended_before[i]));
    }
  }
  part.complete();
  return part;
}

}  // namespace awdit
