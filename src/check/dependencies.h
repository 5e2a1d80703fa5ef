// Levels above causal: is there an order of versions without a forbidden cycle
// of dependencies? Private to check/.
#pragma once

#include "check/check.h"
#include "check/index.h"

namespace awdit {

// Decides report.level, which says what is forbidden (Level::cycles).
void decide_by_dependencies(Index& index, const Options& options,
                            LevelReport& report);

}  // namespace awdit
