// What is wrong with a list that was read. Private to src/tell.
#pragma once

#include <string>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// One sentence without its full stop. REQUIRES: history.has_lists(), and
// `verify` accepts the finding.
std::string list_headline(const History& history, Kind kind,
                          const Finding& finding);

// What the reader had appended to the key itself before it read it; their
// elements: "1, 2 and 3".
std::vector<OpId> own_appends(const History& history, OpId read);
std::string own_elements(const History& history, OpId read);

// Of an intermediate read, behind "t2 read x=[1], which ": "has t1's 1 but not
// the 3 that t1 appended as well".
std::string describe_torn(const History& history, const Finding& finding);

}  // namespace awdit
