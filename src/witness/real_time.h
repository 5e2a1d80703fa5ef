// Real time against a commit order: who of those that had ended before a
// transaction began comes last. Private to src/witness.
//
// The ends are sorted, so that those before a begin are a first part of them;
// how late a first part reaches in the commit order is known once it has been
// walked. That is done for each clock domain, whose ends are held against the
// begins of all domains. Cost: O(d n log n) for n transactions of d domains,
// instead of all pairs.
#pragma once

#include <cstdint>

#include "base/array.h"
#include "history/history.h"
#include "witness/replay.h"

namespace awdit {

// [place - 1] -> the last place of a transaction that had ended before the one
// at that place began, or 0. REQUIRES: the replay has no objection.
Array<std::uint32_t> last_ended_before(const History& history,
                                       const Replay& replay);

}  // namespace awdit
