// Whether a violation proves itself. Private to src/witness.
#pragma once

#include <string>

#include "history/history.h"
#include "theory/theory.h"
#include "witness/attribution.h"

namespace awdit {

// "" if the history contains exactly this violation of the level; otherwise
// what is wrong, as the end of a sentence that begins by naming the violation.
// No id in it is trusted. REQUIRES: the attribution is not malformed.
std::string objection_to_violation(const History& history,
                                   const Attribution& attribution,
                                   const Level& level,
                                   const Violation& violation);

// The same of a cycle of dependencies that refutes a level above Causal, given
// its lemmas (judge_dependencies.cpp). REQUIRES: the level has Cycles.
std::string objection_to_dependencies(const History& history,
                                      const Attribution& attribution,
                                      const Level& level, Kind kind,
                                      const Cycle& cycle);

}  // namespace awdit
