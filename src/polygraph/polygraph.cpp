#include "polygraph/polygraph.h"

#include <algorithm>

namespace awdit {

std::uint32_t Polygraph::version_of(std::uint32_t txn,
                                    std::uint32_t key) const {
  const auto begin = writer.begin() + key_first[key];
  const auto end = writer.begin() + key_first[key + 1];
  const auto found =
      std::lower_bound(begin, end, txn, [&](std::uint32_t a, std::uint32_t b) {
        return chain[a] != chain[b] ? chain[a] < chain[b]
                                    : position[a] < position[b];
      });
  if (found == end || *found != txn) return kNoId;
  return static_cast<std::uint32_t>(found - writer.begin());
}

void Polygraph::complete() {
  const auto versions = static_cast<std::uint32_t>(writer.size());
  key_of.resize(versions);
  for (std::uint32_t key = 0; key < keys; ++key) {
    std::fill(key_of.begin() + key_first[key],
              key_of.begin() + key_first[key + 1], key);
  }
  writes = NumberLists(txns, [&](auto&& add) {
    for (std::uint32_t v = 0; v < versions; ++v) add(writer[v], v);
  });

  // Readers in ascending order, hence by chain in the order of the chain; of
  // each chain the last one stays.
  const auto collect = [&](std::size_t slots, auto slot_of) {
    NumberLists lists(slots, [&](auto&& add) {
      for (std::uint32_t t = 0; t < txns; ++t) {
        for (const Read& read : reads_of(t)) {
          if (const std::uint32_t slot = slot_of(read); slot != kNoId) {
            add(slot, t);
          }
        }
      }
    });
    auto& [first, list] = lists;
    std::vector<std::uint32_t> last(chains, kNoId);  // [chain] -> place in list
    std::uint32_t kept = 0;
    std::uint32_t begin = 0;
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const std::uint32_t end = first[slot + 1];
      const std::uint32_t start = kept;
      for (std::uint32_t i = begin; i < end; ++i) {
        const std::uint32_t t = list[i];
        std::uint32_t& place = last[chain[t]];
        if (place == kNoId) {
          place = kept;
          list[kept++] = t;
        } else {
          list[place] = t;
        }
      }
      for (std::uint32_t i = start; i < kept; ++i) last[chain[list[i]]] = kNoId;
      first[slot] = start;
      begin = end;
    }
    first[slots] = kept;
    list.resize(kept);
    return lists;
  };
  readers = collect(versions, [](const Read& read) { return read.version; });
  initial_readers = collect(keys, [](const Read& read) {
    return read.version == kInitial ? read.key : kNoId;
  });
}

bool is_serial(const Polygraph& polygraph,
               std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> latest(polygraph.keys, Polygraph::kInitial);
  for (const std::uint32_t txn : order) {
    for (const Polygraph::Read& read : polygraph.reads_of(txn)) {
      if (latest[read.key] != read.version) return false;
    }
    for (const std::uint32_t version : polygraph.writes[txn]) {
      latest[polygraph.key_of[version]] = version;
    }
  }
  if (polygraph.known.empty()) return true;
  std::vector<std::uint32_t> place(polygraph.txns);
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  return std::ranges::all_of(polygraph.known,
                             [&](const Polygraph::Known& known) {
                               return place[polygraph.writer[known.older]] <
                                      place[polygraph.writer[known.newer]];
                             });
}

bool keeps_real_time(const Polygraph& polygraph,
                     std::span<const std::uint32_t> order) {
  if (polygraph.ended.empty()) return true;
  std::vector<std::uint32_t> place(polygraph.txns);  // in `ended`, from 1
  for (std::uint32_t i = 0; i < polygraph.ended.size(); ++i) {
    place[polygraph.ended[i]] = i + 1;
  }
  const std::size_t clocks = polygraph.clocks();
  // [clock] -> ends that the transactions so far have waited for
  std::vector<std::uint32_t> most = polygraph.clock_first;
  std::vector<std::uint32_t> clock(polygraph.ended.size() + 1, 0);
  for (std::uint32_t c = 1; c < clocks; ++c) {
    std::fill(clock.begin() + polygraph.clock_first[c], clock.end(), c);
  }
  for (const std::uint32_t txn : order) {
    if (place[txn] != 0 && place[txn] <= most[clock[place[txn] - 1]]) {
      return false;
    }
    for (std::size_t c = 0; c < clocks; ++c) {
      most[c] = std::max(most[c], polygraph.ended_before[txn * clocks + c]);
    }
  }
  return true;
}

}  // namespace awdit
