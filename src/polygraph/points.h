// The graph in which forbidden cycles are plain cycles. Private to polygraph/.
//
// `all` and `parallel` have one point per transaction. `prefix` and `snapshot`
// have two, its snapshot and its commit, the snapshot first: chain order and wr
// lead from a commit to a snapshot, rw from a snapshot to a commit, ww from a
// commit to a snapshot (snapshot) or to a commit (prefix). Then two adjacent rw
// cannot follow each other, and a chain is still one chain, twice as long.
// Real time is a chain of its own for each clock, one point per end.
// `parallel` has no rw, except where the reader writes the key as well: then it
// is the next version, and whatever overwrites what it read comes after it.
// Source: Zhang et al., EuroSys 2023 (Viper).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "polygraph/polygraph.h"

namespace awdit {

class Points {
 public:
  Points(const Polygraph& polygraph, const Demand& demand);

  const Polygraph& polygraph() const { return polygraph_; }
  Forbidden forbidden() const { return forbidden_; }
  bool split() const { return split_; }
  std::uint32_t size() const { return size_; }
  std::uint32_t chains() const { return chains_; }

  std::uint32_t snapshot(std::uint32_t txn) const { return txn << split_; }
  std::uint32_t commit(std::uint32_t txn) const {
    return (txn << split_) + split_;
  }
  bool is_time(std::uint32_t point) const { return point >= first_time_; }
  // REQUIRES: it is no point of time.
  std::uint32_t txn(std::uint32_t point) const { return point >> split_; }
  bool is_commit(std::uint32_t point) const {
    return (point & split_) == split_;
  }

  std::uint32_t chain(std::uint32_t point) const {
    return is_time(point) ? polygraph_.chains + clock(point)
                          : polygraph_.chain[point >> split_];
  }
  std::uint32_t position(std::uint32_t point) const {
    if (is_time(point)) {
      return point - first_time_ - polygraph_.clock_first[clock(point)];
    }
    return (polygraph_.position[point >> split_] << split_) + (point & split_);
  }
  // The point before it in its chain, or kNoId.
  std::uint32_t previous(std::uint32_t point) const {
    if (is_time(point)) {
      const std::uint32_t first = polygraph_.clock_first[clock(point)];
      return point == first_time_ + first ? kNoId : point - 1;
    }
    if ((point & split_) != 0) return point - 1;
    const std::uint32_t txn = polygraph_.previous[point >> split_];
    return txn == kNoId ? kNoId : commit(txn);
  }
  // Other points directly before it: reads-from, real time.
  std::span<const std::uint32_t> sources(std::uint32_t point) const {
    return sources_[point];
  }

  // Calls visit(from, to) for the dependencies that version order `older`
  // before `newer` means, both of one key: ww, then rw.
  template <typename Visit>
  void for_each_edge(std::uint32_t older, std::uint32_t newer,
                     Visit&& visit) const {
    const std::uint32_t after = polygraph_.writer[newer];
    visit(commit(polygraph_.writer[older]), target(after));
    for_each_miss(polygraph_.readers[older], after, polygraph_.key_of[newer],
                  visit);
  }
  // The same for the initial version.
  template <typename Visit>
  void for_each_initial_edge(std::uint32_t newer, Visit&& visit) const {
    const std::uint32_t key = polygraph_.key_of[newer];
    for_each_miss(polygraph_.initial_readers[key], polygraph_.writer[newer],
                  key, visit);
  }
  // Where ww ends.
  std::uint32_t target(std::uint32_t txn) const {
    return forbidden_ == Forbidden::prefix ? commit(txn) : snapshot(txn);
  }

 private:
  // Of a point of time.
  std::uint32_t clock(std::uint32_t point) const {
    const auto& first = polygraph_.clock_first;
    if (first.size() == 1) return 0;
    return static_cast<std::uint32_t>(
        std::ranges::upper_bound(first, point - first_time_) - first.begin() -
        1);
  }
  template <typename Visit>
  void for_each_miss(std::span<const std::uint32_t> readers,
                     std::uint32_t after, std::uint32_t key,
                     Visit& visit) const {
    for (const std::uint32_t reader : readers) {
      if (reader == after) continue;
      if (forbidden_ == Forbidden::parallel &&
          polygraph_.version_of(reader, key) == kNoId) {
        continue;
      }
      visit(snapshot(reader), commit(after));
    }
  }

  const Polygraph& polygraph_;
  const Forbidden forbidden_;
  const std::uint32_t split_;  // 0 or 1
  std::uint32_t first_time_;
  std::uint32_t size_;
  std::uint32_t chains_;
  NumberLists sources_;  // [point]
};

}  // namespace awdit
