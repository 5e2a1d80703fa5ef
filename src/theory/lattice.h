// Which level is stronger than which, and what follows from that. Private to
// theory/; others include theory/theory.h.
#pragma once

#include <vector>

#include "theory/levels.h"

namespace awdit {

// Whether `strong` is `weak` or implies it, directly or not.
bool implies(const Level& strong, const Level& weak);

// The one whose row says so, and whether a level is at least that.
const Level& weakest_with_repeatable_reads();
bool demands_repeatable_reads(const Level& level);

// The strongest level that is decided by an axiom on so u wr: what all levels
// of dependencies imply.
const Level& strongest_by_axiom();

// Those that imply no other one, and those that no other one implies.
std::vector<const Level*> weakest_of(const std::vector<const Level*>& levels);
std::vector<const Level*> strongest_of(const std::vector<const Level*>& levels);

}  // namespace awdit
