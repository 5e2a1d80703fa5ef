// The search for the pairs of writers that inference leaves open. Private to
// polygraph/.
//
// Conflict-driven clause learning: a variable is a pair of transactions that
// write a key in common, a literal says which of them comes first (for all
// their common keys, since they cannot differ), and stands for dependencies
// that are added to an incremental order (incremental_order.h). A cycle is a
// clause: not all of its literals. The order also says which side of a pair is
// tried first; and as long as a pair is ordered by it in one way or the other,
// nothing is decided about it at all. So a step back forgets little, and what
// agrees with the guess costs nothing.
// Marques-Silva and Sakallah, GRASP, 1999 (first unique implication point);
// Moskewicz et al., Chaff, 2001 (watched literals, activities).
//
// Invariant: every clause follows from cycles; those behind an empty one are
// the reason that there is no order (core()).
#pragma once

#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

#include "polygraph/core.h"
#include "polygraph/incremental_order.h"
#include "polygraph/replay.h"
#include "polygraph/saturate.h"

namespace awdit {

class Search {
 public:
  explicit Search(const Saturation& saturation);

  // Makes a variable of the writers of these versions unless it is one; false:
  // it was one.
  bool add(VersionPair pair);
  // Its pairs must not all be so.
  void add_clash(Clash clash);

  // Throws UsedUp if the budget of the saturation is. `conflicts`: at most.
  enum class End : std::uint8_t { order, refuted, out_of_conflicts };
  End run(std::uint64_t conflicts);

  // If it ended in an order: of all points.
  const std::vector<std::uint32_t>& order() const { return order_.order(); }
  // If it was refuted: the transactions that this rests on.
  std::vector<std::uint32_t> core() const;

  std::uint64_t variables() const { return variables_.size(); }
  std::uint64_t decisions() const { return decisions_; }

 private:
  using Literal =
      std::uint32_t;  // variable * 2 + (0: low first, 1: high first)
  static constexpr std::uint32_t kNone = kNoId;
  struct Arc {
    std::uint32_t from, to;
  };
  struct Variable {
    std::uint32_t low, high;       // txns
    std::vector<Arc> arcs[2];      // by literal
    Literal value = kNone;         // the literal that is true
    std::uint32_t depth = 0;       // decisions before it
    std::uint32_t reason = kNone;  // clause; none: a decision
    double activity = 0;
    bool queued = false;   // is a candidate
    bool clashes = false;  // is in a clash, and must be decided
  };
  struct Clause {
    std::vector<Literal> literals;
    std::vector<std::uint32_t> parents;         // clauses it follows from, or
    std::vector<IncrementalOrder::Step> cycle;  // the cycle that it forbids, or
    std::uint32_t clash = kNone;                // the clash
  };

  Literal literal(VersionPair pair);
  bool is_true(Literal l) const { return variables_[l / 2].value == l; }
  bool is_false(Literal l) const { return variables_[l / 2].value == (l ^ 1); }
  std::uint32_t depth() const {
    return static_cast<std::uint32_t>(marks_.size());
  }
  void set(Literal l, std::uint32_t reason);
  std::uint32_t propagate();  // a clause that is false, or kNone
  std::uint32_t add_arcs(std::size_t at);
  std::uint32_t follow(Literal l);
  std::uint32_t add_clause(Clause clause);
  bool resolve(std::uint32_t conflict);
  void undo(std::uint32_t depth);
  bool decide();
  void queue(std::uint32_t variable);
  void queue_moved();
  std::uint32_t disagreeing(Literal l) const;
  void bump(std::uint32_t variable);
  bool bring_in(std::uint32_t clause);

  const Saturation& saturation_;
  const Points& points_;
  const Polygraph& polygraph_;
  IncrementalOrder order_;
  std::vector<Variable> variables_;
  std::unordered_map<std::uint64_t, std::uint32_t> variable_of_;
  std::vector<Clause> clauses_;
  std::vector<Clash> clashes_;
  std::vector<std::vector<std::uint32_t>> watches_;  // [literal that is false]
  // [point] -> variables with a dependency there
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> at_point_;
  std::vector<Literal> trail_;
  std::vector<std::uint32_t> arcs_added_;  // [place in trail]
  std::vector<std::size_t> marks_;         // [depth] -> size of the trail
  std::size_t arcs_done_ = 0;
  std::size_t clauses_done_ = 0;
  std::vector<std::uint32_t> pending_;  // clauses to be brought in
  std::priority_queue<std::pair<double, std::int64_t>> candidates_;
  double increment_ = 1;
  std::uint32_t refutation_ = kNone;
  std::uint64_t decisions_ = 0;
  std::uint64_t conflicts_ = 0;
};

}  // namespace awdit
