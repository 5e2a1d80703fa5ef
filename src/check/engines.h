// Which engine decides a level. Private to check/.
#pragma once

#include "check/check.h"
#include "check/index.h"

namespace awdit {

// Decides report.level on what is not left out of the index.
using Engine = void(Index& index, const Options& options, LevelReport& report);

// Each in the file of its name; the first in read_committed.cpp.
Engine decide_adya_read_committed;
Engine decide_read_committed;
Engine decide_read_your_writes;
Engine decide_monotonic_reads;
Engine decide_monotonic_writes;
Engine decide_writes_follow_reads;
Engine decide_read_atomic;
Engine decide_causal;

// Levels above causal, by what they forbid (Level::cycles); in
// dependencies.cpp. REQUIRES: what is not left out of the index is causal.
Engine decide_by_dependencies;

Engine* engine_of(const Level& level);

}  // namespace awdit
