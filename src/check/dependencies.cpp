#include "check/dependencies.h"

#include "base/table.h"

namespace awdit {

void decide_by_dependencies(Index& index, const Options& options,
                            LevelReport& report) {
  const Level* const causal = find_row(levels(), "causal");
  LevelReport below;
  below.level = causal;
  causal->decide(index, options, below);
  if (below.verdict == Verdict::violated) {
    report.verdict = Verdict::violated;
    report.violations = std::move(below.violations);
    report.follows_from = causal;
    return;
  }
}

}  // namespace awdit
