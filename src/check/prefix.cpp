// Prefix Consistency: a snapshot is a first part of the order of commits.
// Writers of a key may overlap, so version order leads from commit to commit.
// See dependencies.h for how it is decided.
#include "check/dependencies.h"
#include "check/levels.h"

namespace awdit {

void decide_prefix(Index& index, const Options& options, LevelReport& report) {
  decide_by_dependencies(index, options, report);
}

}  // namespace awdit
