// What each level file offers to the table. Private to check/.
#pragma once

#include "check/check.h"
#include "check/index.h"

namespace awdit {

void decide_adya_read_committed(Index& index, const Options& options,
                                LevelReport& report);
void decide_read_committed(Index& index, const Options& options,
                           LevelReport& report);
void decide_read_atomic(Index& index, const Options& options,
                        LevelReport& report);
void decide_causal(Index& index, const Options& options, LevelReport& report);
void decide_prefix(Index& index, const Options& options, LevelReport& report);
void decide_parallel_snapshot_isolation(Index& index, const Options& options,
                                        LevelReport& report);
void decide_snapshot_isolation(Index& index, const Options& options,
                               LevelReport& report);
void decide_serializable(Index& index, const Options& options,
                         LevelReport& report);
void decide_strong_snapshot_isolation(Index& index, const Options& options,
                                      LevelReport& report);
void decide_strict_serializable(Index& index, const Options& options,
                                LevelReport& report);

}  // namespace awdit
