// A topological order that is kept while arcs come and go. Private to
// polygraph/.
//
// Idea: an arc that agrees with the order costs nothing. One that does not
// makes only the points between its two ends change places (Pearce and Kelly, A
// Dynamic Topological Sort Algorithm for Directed Acyclic Graphs, JEA 2006).
// Taking arcs away never spoils the order, so that it is never undone; arcs are
// taken away in the reverse order of coming. Asks the budget of the saturation;
// if that is used up, so is this.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polygraph/saturate.h"

namespace awdit {

class IncrementalOrder {
 public:
  // Begins with everything that is known and inferred.
  explicit IncrementalOrder(const Saturation& saturation);

  // Adds the arc, with a label of the caller's. False: it would close a cycle;
  // then it is not added.
  bool add(std::uint32_t from, std::uint32_t to, std::uint32_t label);
  // Takes away the arc that was added last and is still there.
  void take_away(std::uint32_t from, std::uint32_t to);

  // A path from one point to another that has as few arcs of the caller's as
  // possible. REQUIRES: there is one, as from `to` to `from` if add() said no.
  struct Step {
    std::uint32_t from, to;
    std::uint32_t label;  // kNone: known or inferred
  };
  static constexpr std::uint32_t kNone = kNoId;
  std::vector<Step> path(std::uint32_t from, std::uint32_t to);

  // Points that have changed places since this was last cleared, some twice.
  std::vector<std::uint32_t>& moved() { return moved_; }

  std::uint32_t place(std::uint32_t point) const { return place_[point]; }
  // [i] -> point
  const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  struct Entry {
    std::uint32_t point;
    std::uint32_t label;
  };
  template <typename Visit>
  void for_each_successor(std::uint32_t point, Visit&& visit) const;
  template <typename Visit>
  void for_each_predecessor(std::uint32_t point, Visit&& visit) const;
  void reorder();

  const Saturation& saturation_;
  const Points& points_;
  Pace pace_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> place_;
  std::vector<std::uint32_t> out_first_;  // [point + 1], known and inferred
  std::vector<std::uint32_t> out_;
  std::vector<std::vector<Entry>> more_out_, more_in_;  // of the caller
  std::vector<std::uint32_t> ahead_, behind_, slots_, moved_;
  std::vector<std::uint8_t> seen_;
};

}  // namespace awdit
