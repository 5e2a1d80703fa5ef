// The sentences that headline.cpp chooses from, without their full stops, and
// what they are made of. Private to src/tell. REQUIRES throughout: `verify`
// accepts the evidence.
#pragma once

#include <string>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// What is wrong above causal: a lost update or a cycle of dependencies.
std::string dependency_headline(const History& history,
                                const Violation& violation);

// What is wrong with a list that was read. REQUIRES: history.has_lists().
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
