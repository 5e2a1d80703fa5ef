// A topological order of so u wr close to another order. Private to check/.
#pragma once

#include <cstdint>
#include <vector>

#include "check/index.h"

namespace awdit {

// The live transactions so that each comes after its predecessor in the session
// and after those it read from, otherwise in the index's present order. Empty
// if so u wr has a cycle. O(n).
std::vector<std::uint32_t> topological_order(const Index& index);

}  // namespace awdit
