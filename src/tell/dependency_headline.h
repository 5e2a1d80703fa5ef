// What is wrong above causal, in one sentence. Private to src/tell.
#pragma once

#include <string>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// Without a full stop. REQUIRES: a lost update or a cycle of
// dependencies.
std::string dependency_headline(const History& history,
                                const Violation& violation);

}  // namespace awdit
