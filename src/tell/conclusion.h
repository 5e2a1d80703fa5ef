// The plain sentence that a check ends in. Part of tell/tell.h.
#pragma once

#include <string>
#include <vector>

#include "theory/theory.h"

namespace awdit {

// The asked levels that hold and that no other holding one implies, and those
// violated ones that imply no other violated one: in a chain one each, in a
// lattice perhaps several.
std::vector<const Level*> strongest_holding(const Report& report);
std::vector<const Level*> weakest_violated(const Report& report);

// "Strongest level that holds: read-atomic. Weakest that breaks: causal."
std::string conclusion(const Report& report);

}  // namespace awdit
