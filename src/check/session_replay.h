// A commit order by going along the sessions. Private to check/.
//
// Idea: what is forced is a partial order, of which sessions are chains. So the
// next of some session is put out as soon as all that must come before it has
// been; a session that has to wait does so for one transaction, and is looked
// at again when that is out. Nothing but a list of predecessors is made, and
// the transactions of a session lie side by side.
// Cost: O(operations + inferences).
#pragma once

#include <cstdint>
#include <vector>

#include "check/inferences.h"

namespace awdit {

// The live transactions, init first, in an order that contains so u wr and the
// inferences of the second pass; empty if there is none. REQUIRES: everything
// is one window, there are no hubs and no lists.
std::vector<std::uint32_t> replay_sessions(const Index& index,
                                           const Inferences& inferences);

}  // namespace awdit
