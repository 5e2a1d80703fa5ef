// Parallel Snapshot Isolation: causal consistency with overwriting as a further
// dependency. Sites may disagree about the order of unrelated commits.
// See dependencies.h for how it is decided.
#include "check/dependencies.h"
#include "check/levels.h"

namespace awdit {

void decide_parallel_snapshot_isolation(Index& index, const Options& options,
                                        LevelReport& report) {
  decide_by_dependencies(index, options, report);
}

}  // namespace awdit
