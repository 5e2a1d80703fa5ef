// Whether a violation proves itself. Private to src/witness.
#pragma once

#include <string>

#include "check/check.h"
#include "history/history.h"
#include "witness/attribution.h"

namespace awdit {

// "" if the history contains exactly this violation of the level; otherwise
// what is wrong, as the end of a sentence that begins by naming the violation.
// No id in it is trusted. REQUIRES: the attribution is not malformed.
std::string objection_to_violation(const History& history,
                                   const Attribution& attribution,
                                   const Level& level,
                                   const Violation& violation);

// Whether two reads of a key from different writers violate the level.
bool demands_repeatable_reads(const Level& level);

}  // namespace awdit
