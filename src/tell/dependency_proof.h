// Proofs by circles of dependencies, as they are told: see the .cpp. Private to
// src/tell.
#pragma once

#include "history/history.h"
#include "tell/tell.h"
#include "theory/theory.h"

namespace awdit {

// REQUIRES: a cycle of dependencies above causal.
Proof dependency_proof(const History& history, const Level& level,
                       const Violation& violation);

}  // namespace awdit
