// A topological order of so, wr and the versions of lists, close to another
// order. Private to check/.
#pragma once

#include <cstdint>
#include <vector>

#include "check/index.h"

namespace awdit {

// The live transactions so that each comes after its predecessor in the
// session, after those it read from and after those whose versions are older,
// otherwise in the index's present order. Empty if there is a cycle. O(n).
std::vector<std::uint32_t> topological_order(const Index& index,
                                             const ListVersions& versions);

}  // namespace awdit
