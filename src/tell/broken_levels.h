// Which levels a violation breaks. Private to src/tell.
//
// The level at which it was found is broken, and so is whatever implies it. But
// it may have been found at a strong level only because nobody asked for a
// weaker one; and levels are no chain: a circle that breaks prefix consistency
// may break parallel snapshot isolation as well. So the smallest part of the
// history that shows it is checked again, at every level. Cost: that of
// checking a few dozen operations. Where there are more, only what the evidence
// itself tells is said, and what the check of the whole history has decided:
// some levels are neither among those that it breaks nor among the others then.
#pragma once

#include <span>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// Of the levels that apply to the history, in the order of the table. A level
// is in neither list if nothing is known.
struct Broken {
  std::vector<const Level*> breaks, keeps;
};

// `ops`, `silent`: a part that shows the violation by itself (Shrunk); or
// empty. `report`: the one that has the violation, at `level`. `seconds`: that
// deciding the part may take for each level; a level that takes longer is in
// neither list, unless it is known from others.
Broken broken_by(const History& history, const Report& report,
                 const Level& level, const Violation& violation,
                 std::span<const OpId> ops, std::span<const TxnId> silent,
                 double seconds);

}  // namespace awdit
