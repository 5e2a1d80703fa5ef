// What every order of versions has in common, by clocks over chains. Private to
// polygraph/.
//
// The clock of a point says, for each chain, how many of its points lead to it.
// "W2 older than W" is inferred iff the opposite would close a cycle at once:
// if W2 leads to W, or to a reader of W. As chains are ordered, only the latest
// such W2 of each chain needs to be looked at. Its dependencies are added, the
// clocks brought up to date, and so on until nothing new follows. That removes
// all cycles that need one undecided pair.
//
// Invariant: what a round infers rests on earlier rounds, so that all of it can
// be explained (core.h).
// Cost: O((points + dependencies) * chains) for the first round; later ones
// look only at what has changed. Memory: 4 bytes per point and chain. Within a
// budget.
// Source: the closure is that of the pruning of PolySI (Huang et al., VLDB
// 2023), by clocks instead of matrices.
#pragma once

#include <cstdint>
#include <vector>

#include "base/array.h"
#include "polygraph/points.h"

namespace awdit {

class Saturation {
 public:
  // Why a dependency is there: `older` is older than `newer` (versions).
  struct Fact {
    std::uint32_t older;  // kInitial: needs no reason
    std::uint32_t newer;
    // The transaction that `older`'s writer leads to: the writer of `newer` or
    // a reader of it; kNoId: it was known, or `older` is initial.
    std::uint32_t trigger;
    std::uint32_t shown;  // the transaction that saw it, if it was known
    // It rests on facts of lower rounds only; 0: on nothing.
    std::uint32_t round;
  };
  struct Dependency {
    std::uint32_t from;  // point
    std::uint32_t to;
    std::uint32_t fact;
  };

  // Throws UsedUp, here and in run(); so does all that asks budget() later.
  Saturation(const Points& points, const Budget& budget);

  enum class End : std::uint8_t { fixed_point, cycle };
  End run();

  const Points& points() const { return points_; }
  const Budget& budget() const { return budget_; }
  const std::vector<Fact>& facts() const { return facts_; }
  const std::vector<Dependency>& dependencies() const { return dependencies_; }
  // [i] -> point; topological unless the end was a cycle.
  const std::vector<std::uint32_t>& order() const { return order_; }
  // Under `parallel` only: a reader of an initial version and a version of the
  // key that leads to it. That is a cycle, too.
  struct Stale {
    std::uint32_t reader;
    std::uint32_t version;
  };
  const std::vector<Stale>& stale() const { return stale_; }

  // Whether `from` leads to `to`, as far as the clocks know.
  bool leads(std::uint32_t from, std::uint32_t to) const {
    return clock(to)[points_.chain(from)] >
           static_cast<std::int32_t>(points_.position(from));
  }
  const std::int32_t* clock(std::uint32_t point) const {
    return clocks_.data() + std::size_t{point} * width_;
  }
  // Dependencies into a point. REQUIRES: run() has ended.
  std::span<const std::uint32_t> into(std::uint32_t point) const {
    return into_[point];
  }

  static std::uint64_t bytes(const Points& points);

 private:
  bool arrange(std::size_t first_new);
  void advance_clocks(std::size_t first_new);
  void infer_key(std::uint32_t key);
  void infer_initial(std::uint32_t key);
  void look_behind(std::uint32_t version, std::int32_t* reached);
  void add(std::uint32_t older, std::uint32_t newer, std::uint32_t trigger);
  bool changed(std::uint32_t version) const;

  const Points& points_;
  const Polygraph& polygraph_;
  const Budget& budget_;
  Pace pace_;
  const std::uint32_t width_;  // chains, rounded up
  Array<std::int32_t> clocks_;
  std::vector<std::uint32_t> order_;   // [i] -> point
  std::vector<std::uint32_t> place_;   // [point] -> i
  std::vector<std::uint8_t> changed_;  // [point] in the last round
  std::vector<Fact> facts_;
  std::vector<Dependency> dependencies_;
  NumberLists into_;  // [point] -> numbers of dependencies
  std::vector<Stale> stale_;
  std::uint32_t round_ = 0;

  struct Group {  // the versions of a key by one chain
    std::uint32_t chain;
    std::uint32_t first, last;
  };
  std::vector<Group> groups_;
  std::vector<std::int32_t> reached_;
};

}  // namespace awdit
