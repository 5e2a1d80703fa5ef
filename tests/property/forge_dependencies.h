// Lies about cycles of dependencies: see forge.h.
#pragma once

#include <vector>

#include "property/forge.h"

namespace awdit::property {

// Wrong variants of a cycle of dependencies, or of a lost update. REQUIRES: it
// is right.
std::vector<Forgery> forge_dependencies(const History& history,
                                        const oracle::Facts& facts,
                                        const Level& level,
                                        const Violation& right, Random& random);

// Whether two reads of a key returned the same version; of lists, before what
// their readers had appended themselves.
bool same_version(const History& history, OpId a, OpId b);

// A cycle of two random dependencies, with a lemma for each that is as random.
// REQUIRES: at least one operation.
Violation invented_dependencies(const History& history, Random& random);

}  // namespace awdit::property
