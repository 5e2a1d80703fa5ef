// What is wrong with a list that was read. Private to src/witness.
#pragma once

#include <string>

#include "check/check.h"
#include "history/history.h"

namespace awdit {

// One sentence without its full stop. REQUIRES: history.has_lists(); the
// violation is about one read, and `verify` accepts it.
std::string list_headline(const History& history, const Violation& violation);

}  // namespace awdit
