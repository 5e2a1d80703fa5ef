// Snapshot Isolation: every transaction has a snapshot and a commit, and
// writers of a key do not overlap. See dependencies.h for how it is decided.
#include "check/dependencies.h"
#include "check/levels.h"

namespace awdit {

void decide_snapshot_isolation(Index& index, const Options& options,
                               LevelReport& report) {
  decide_by_dependencies(index, options, report);
}

}  // namespace awdit
