// Which of Elle's consistency models a report refutes. Private to src/report.
//
// Elle names models by what clients of one transaction each may see; the order
// of a session counts only in its strong-session models, and time only in its
// strong ones. Our levels count sessions unless told otherwise, so a violation
// that needs them refutes less in Elle's words.
#pragma once

#include <string>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

struct Refuted {
  std::vector<std::string> weakest;   // Elle's :not, keywords with the colon
  std::vector<std::string> stronger;  // Elle's :also-not
};

Refuted refuted_models(const History& history, const Report& report);

// Whether the evidence has a step from a session's transaction to a later one,
// or from one that ended to one that began.
bool needs_sessions(const History& history, const Violation& violation);

}  // namespace awdit
