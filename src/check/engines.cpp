// THE table of rules: by which premise a level has its axiom
// (theory/levels.cpp) says how it is inferred. A level of dependencies needs no
// rule: its row there says which cycles it forbids, and one engine decides them
// all.
#include "check/engines.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"
#include "check/commit_graph.h"

namespace awdit {
namespace {

struct Row {
  Premise premise;
  const Rule* rule;  // nullptr: so u wr and the findings of the index are all
};

constexpr Row kRules[] = {
    {Premise::nobody, nullptr},
    {Premise::read_before, &kReadCommittedRule},
    {Premise::session, &kReadYourWritesRule},
    {Premise::read_session, &kMonotonicReadsRule},
    {Premise::session_read, &kMonotonicWritesRule},
    {Premise::read_read, &kWritesFollowReadsRule},
    {Premise::direct, &kReadAtomicRule},
    {Premise::depends_on, &kCausalRule},
};

}  // namespace

void decide(Index& index, const Options& options, LevelReport& report,
            std::vector<Violation>& found) {
  const Level& level = *report.level;
  if (level.cycles != Cycles::by_axiom) {
    return decide_by_dependencies(index, options, report, found);
  }
  const auto row = std::find_if(
      std::begin(kRules), std::end(kRules),
      [&](const Row& candidate) { return candidate.premise == level.premise; });
  AWDIT_ASSERT(row != std::end(kRules));
  decide_by_rule(index, options, row->rule, report, found);
}

}  // namespace awdit
