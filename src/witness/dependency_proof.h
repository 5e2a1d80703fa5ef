// Proofs by circles of dependencies, as they are told: see the .cpp. Private to
// src/witness.
#pragma once

#include "history/history.h"
#include "theory/theory.h"
#include "witness/witness.h"

namespace awdit {

// REQUIRES: a violation above causal that has edges.
Proof dependency_proof(const History& history, const Level& level,
                       const Violation& violation);

}  // namespace awdit
