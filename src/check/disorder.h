// Is the guessed order so wrong that nothing is to be learned from where it is
// contradicted? Private to check/.
//
// A level is decided in two passes (check/commit_graph.h): the first finds the
// windows that contradictions span, which are all there is to look at. Of a
// history that says nothing about the order of the whole, sessions one after
// the other, they span everything, and the first pass is in vain. So a few
// transactions are asked beforehand, evenly spread: if what they contradict
// would cover the order, everything is one window at once. So it is at levels
// that look further than that, if very many are suspect (check/looks.h). If
// then nothing is violated, as mostly, an order is found by going along the
// sessions (check/session_replay.h) and no graph is made.
//
// Invariant: verdict and violations are the same either way: no cycle leaves a
// window, whether it is larger than need be or not.
// Cost: that of the first pass, for some thousand readers.
#pragma once

#include <cstdint>

#include "check/inferences.h"

namespace awdit {

// False with fewer than `above` transactions. Does not depend on what is known
// of suspects, nor on threads.
bool is_in_disorder(Index& index, const Rule& rule, std::uint32_t above);

}  // namespace awdit
