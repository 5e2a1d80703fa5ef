// Levels above causal: is there an order of versions without a forbidden cycle
// of dependencies? Private to check/.
//
// Cheapest first. (1) What breaks causal consistency breaks them all: that was
// decided before (check/ladder.h). (2) A history that is serial in the guessed
// order, or in one that another level has found, satisfies them all. (3) Two
// transactions that overwrite one version are a lost update; only prefix allows
// that. (4) Otherwise the history becomes
// a polygraph, and src/polygraph finds an order or refutes it; a refutation
// comes with a few transactions, of which prover.h makes the evidence.
// Cost: see polygraph/polygraph.h.
#pragma once

#include "check/check.h"
#include "check/index.h"

namespace awdit {

// Decides report.level, which says what is forbidden (Level::cycles).
// REQUIRES: what is not left out of the index is causal.
void decide_by_dependencies(Index& index, const Options& options,
                            LevelReport& report);

}  // namespace awdit
