// An inferred order, taken apart: what was read, what else the reader had seen,
// and why the other order is out of the question. Part of tell/tell.h.
#pragma once

#include <string>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// Sentences, with their full stops.
struct Derivation {
  std::string read;               // "t7 read x=3 from t4."
  std::string wrote;              // "t6 also wrote key x: x=4."
  std::vector<std::string> seen;  // why the reader had seen t6, step by step
  std::string rule;               // what the level promises
  std::string alternative;        // "Suppose t4 came before t6 instead."
  std::string refuted;            // what would follow, and that it did not
  std::string conclusion;         // "So t6 comes before t4."
};

// REQUIRES: the edge is inferred, and `verify` accepts the evidence.
Derivation derivation_of(const History& history, const Level& level,
                         const Edge& edge);

// The violation in a sentence or two for someone who knows databases and no
// theory: which session got what too late, and how it could have known; which
// worked on what another one was replacing. Empty where there is no short way
// to say it.
std::string plain_words(const History& history, const Violation& violation);

}  // namespace awdit
