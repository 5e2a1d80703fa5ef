// Strong Snapshot Isolation: Snapshot Isolation in real time.
// See dependencies.h for how it is decided.
#include "check/dependencies.h"
#include "check/levels.h"

namespace awdit {

void decide_strong_snapshot_isolation(Index& index, const Options& options,
                                      LevelReport& report) {
  decide_by_dependencies(index, options, report);
}

}  // namespace awdit
