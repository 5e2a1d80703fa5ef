#include "polygraph/replay.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "base/array.h"
#include "base/assert.h"

namespace awdit {
namespace {

// Versions passed over by one read that are looked at before the next replay.
constexpr std::uint32_t kMostPerRead = 64;

class Player {
 public:
  Player(const Saturation& saturation, Stumbles& result)
      : points_(saturation.points()),
        polygraph_(points_.polygraph()),
        pace_(saturation.budget()),
        result_(result),
        latest_(polygraph_.keys, Polygraph::kInitial),
        before_(polygraph_.writer.size(), Polygraph::kInitial) {}

  void play(std::span<const std::uint32_t> order) {
    if (points_.forbidden() == Forbidden::snapshot) {
      place_.resize(points_.size());
      for (std::uint32_t i = 0; i < order.size(); ++i) place_[order[i]] = i;
    }
    for (const std::uint32_t point : order) {
      if (points_.is_time(point)) continue;
      const std::uint32_t txn = points_.txn(point);
      pace_.step(1 + polygraph_.reads_of(txn).size() +
                 polygraph_.writes[txn].size());
      if (point == points_.snapshot(txn)) read(txn);
      if (point == points_.commit(txn)) write(txn);
    }
  }

 private:
  void read(std::uint32_t txn) {
    for (const Polygraph::Read& read : polygraph_.reads_of(txn)) {
      std::uint32_t left = kMostPerRead;
      for (std::uint32_t v = latest_[read.key]; v != read.version && left != 0;
           v = before_[v], --left) {
        AWDIT_ASSERT(v != Polygraph::kInitial &&
                     read.version != Polygraph::kInitial);
        result_.pairs.push_back({read.version, v});
      }
    }
  }

  void write(std::uint32_t txn) {
    for (const std::uint32_t version : polygraph_.writes[txn]) {
      std::uint32_t& latest = latest_[polygraph_.key_of[version]];
      if (points_.forbidden() == Forbidden::snapshot) {
        const std::uint32_t begin = place_[points_.snapshot(txn)];
        std::uint32_t left = kMostPerRead;
        for (std::uint32_t v = latest;
             v != Polygraph::kInitial && left != 0 &&
             place_[points_.commit(polygraph_.writer[v])] > begin;
             v = before_[v], --left) {
          result_.pairs.push_back({v, version});
        }
      }
      before_[version] = latest;
      latest = version;
    }
  }

  const Points& points_;
  const Polygraph& polygraph_;
  Pace pace_;
  Stumbles& result_;
  std::vector<std::uint32_t> latest_;  // [key] -> version
  std::vector<std::uint32_t> before_;  // [version] -> the one before
  std::vector<std::uint32_t> place_;   // [point]
};

// `parallel`: dependencies with the version order that the total order implies.
class Dependences {
 public:
  Dependences(const Saturation& saturation,
              std::span<const std::uint32_t> order)
      : saturation_(saturation),
        points_(saturation.points()),
        polygraph_(points_.polygraph()),
        pace_(saturation.budget()),
        width_(points_.chains()),
        clocks_(std::size_t{points_.size()} * width_),
        before_(polygraph_.writer.size(), Polygraph::kInitial),
        after_(polygraph_.writer.size(), kNoId),
        first_(polygraph_.keys, kNoId) {
    std::vector<std::uint32_t> latest(polygraph_.keys, Polygraph::kInitial);
    for (const std::uint32_t point : order) {
      std::int32_t* clock = clocks_.data() + std::size_t{point} * width_;
      std::fill_n(clock, width_, 0);
      for_each_before(point, [&](std::uint32_t from, std::uint32_t) {
        raise(clock, from);
      });
      if (points_.is_time(point)) continue;
      for (const std::uint32_t version : polygraph_.writes[point]) {
        std::uint32_t& last = latest[polygraph_.key_of[version]];
        if (last != Polygraph::kInitial) {
          raise(clock, polygraph_.writer[last]);
          after_[last] = version;
        } else {
          first_[polygraph_.key_of[version]] = version;
        }
        before_[version] = last;
        last = version;
      }
    }
  }

  void find_clashes(Stumbles& result) {
    constexpr std::size_t kMost = 256;  // before the next replay
    for (std::uint32_t t = 0; t < polygraph_.txns; ++t) {
      for (const Polygraph::Read& read : polygraph_.reads_of(t)) {
        const std::uint32_t next = read.version == Polygraph::kInitial
                                       ? first_[read.key]
                                       : after_[read.version];
        if (next == kNoId || polygraph_.writer[next] == t) continue;
        if (!leads(polygraph_.writer[next], t)) continue;
        Clash& clash = result.clashes.emplace_back();
        add_path(polygraph_.writer[next], t, clash);
        if (read.version != Polygraph::kInitial) {
          add(read.version, next, clash);
        }
        if (result.clashes.size() == kMost) return;
      }
    }
  }

 private:
  template <typename Visit>
  void for_each_before(std::uint32_t point, Visit&& visit) const {
    if (const std::uint32_t previous = points_.previous(point);
        previous != kNoId) {
      visit(previous, kNoId);
    }
    for (const std::uint32_t from : points_.sources(point)) visit(from, kNoId);
    for (const std::uint32_t i : saturation_.into(point)) {
      visit(saturation_.dependencies()[i].from, kNoId);
    }
    if (points_.is_time(point)) return;
    for (const std::uint32_t version : polygraph_.writes[point]) {
      if (before_[version] != Polygraph::kInitial) {
        visit(polygraph_.writer[before_[version]], version);
      }
    }
  }
  void raise(std::int32_t* clock, std::uint32_t from) const {
    pace_.step(1 + width_ / 4);
    const std::int32_t* other = clocks_.data() + std::size_t{from} * width_;
    for (std::uint32_t i = 0; i < width_; ++i) {
      clock[i] = std::max(clock[i], other[i]);
    }
    std::int32_t& own = clock[points_.chain(from)];
    own = std::max(own, static_cast<std::int32_t>(points_.position(from)) + 1);
  }
  bool leads(std::uint32_t from, std::uint32_t to) const {
    return clocks_[std::size_t{to} * width_ + points_.chain(from)] >
           static_cast<std::int32_t>(points_.position(from));
  }

  // What is forced anyway is no choice.
  void add(std::uint32_t older, std::uint32_t newer, Clash& clash) const {
    const std::uint32_t from = polygraph_.writer[older];
    const std::uint32_t to = polygraph_.writer[newer];
    if (saturation_.leads(from, to)) {
      clash.paths.push_back({from, to});
    } else {
      clash.pairs.push_back({older, newer});
    }
  }

  // Backwards; steps that are known cost nothing.
  void add_path(std::uint32_t from, std::uint32_t to, Clash& clash) const {
    struct Visit {
      std::uint32_t cost;
      std::uint32_t next;
      std::uint32_t version;  // of `next`, whose predecessor is of this one
    };
    std::unordered_map<std::uint32_t, Visit> visits;
    using Entry = std::pair<std::uint32_t, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    visits.emplace(to, Visit{0, kNoId, kNoId});
    queue.emplace(0, to);
    while (!queue.empty()) {
      const std::uint32_t cost = queue.top().first;
      const std::uint32_t point = queue.top().second;
      queue.pop();
      if (point == from) break;
      pace_.step(64);
      if (cost > visits.at(point).cost) continue;
      for_each_before(point, [&](std::uint32_t before, std::uint32_t version) {
        if (before != from && !leads(from, before)) return;
        const std::uint32_t total = cost + (version == kNoId ? 0 : 1);
        const auto [at, fresh] =
            visits.try_emplace(before, Visit{total, point, version});
        if (!fresh) {
          if (at->second.cost <= total) return;
          at->second = {total, point, version};
        }
        queue.emplace(total, before);
      });
    }
    for (std::uint32_t point = from; point != to;) {
      const Visit& visit = visits.at(point);
      if (visit.version != kNoId) {
        add(before_[visit.version], visit.version, clash);
      } else {
        clash.arcs.push_back({point, visit.next});
      }
      point = visit.next;
    }
  }

  const Saturation& saturation_;
  const Points& points_;
  const Polygraph& polygraph_;
  mutable Pace pace_;
  const std::uint32_t width_;
  Array<std::int32_t> clocks_;                 // of points that were met
  std::vector<std::uint32_t> before_, after_;  // [version]
  std::vector<std::uint32_t> first_;           // [key]
};

}  // namespace

Stumbles replay(const Saturation& saturation,
                std::span<const std::uint32_t> order) {
  Stumbles result;
  if (saturation.points().forbidden() == Forbidden::parallel) {
    Dependences(saturation, order).find_clashes(result);
  } else {
    Player(saturation, result).play(order);
  }
  return result;
}

}  // namespace awdit
