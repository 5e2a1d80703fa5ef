// Lies about the levels above causal: see forge.h.
#pragma once

#include <vector>

#include "property/forge.h"

namespace awdit::property {

// Wrong variants of a violation of a kind that only these levels have.
// REQUIRES: it is right.
std::vector<Forgery> forge_dependencies(const History& history,
                                        const oracle::Facts& facts,
                                        const Level& level,
                                        const Violation& right, Random& random);

// A cycle of two random dependencies, with a lemma for each that is as random.
// REQUIRES: at least one operation.
Violation invented_dependencies(const History& history, Random& random);

}  // namespace awdit::property
