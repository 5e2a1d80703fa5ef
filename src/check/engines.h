// How levels are decided. Private to check/.
#pragma once

#include <vector>

#include "check/check.h"
#include "check/index.h"
#include "check/inferences.h"

namespace awdit {

// Decides report.level on what is not left out of the index; violations go to
// `found`, where they also are if the budget is used up on the way. REQUIRES:
// the index is settled; above causal, what is not left out is causal.
void decide(Index& index, const Options& options, LevelReport& report,
            std::vector<Violation>& found);

// The rules of levels by axiom, each in the file of its name.
extern const Rule kReadCommittedRule;
extern const Rule kReadYourWritesRule;
extern const Rule kMonotonicReadsRule;
extern const Rule kMonotonicWritesRule;
extern const Rule kWritesFollowReadsRule;
extern const Rule kReadAtomicRule;
extern const Rule kCausalRule;

// Rule::sample of those two.
void sample_direct(const Index& index, Inferences& inferences);

// Levels above causal, by what they forbid (Level::cycles); in
// dependencies.cpp.
void decide_by_dependencies(Index& index, const Options& options,
                            LevelReport& report, std::vector<Violation>& found);

}  // namespace awdit
