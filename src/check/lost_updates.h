// Lost updates: two transactions read one version of a key and both wrote the
// key. Private to check/.
//
// Whichever of the two comes first, the other one missed it: no search is
// needed. The first of those that overwrite a version stands for them all.
// Cost: linear in the polygraph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/index.h"
#include "check/op_finder.h"
#include "polygraph/polygraph.h"

namespace awdit {

// Adds them to `found`, by their reads. `txns`: [transaction of the graph].
// `first`: one is enough. Those found before the time limit are in `found`.
void find_lost_updates(const Index& index, OpFinder& finder,
                       const Polygraph& graph,
                       std::span<const std::uint32_t> txns, bool first,
                       std::vector<Violation>& found);

}  // namespace awdit
