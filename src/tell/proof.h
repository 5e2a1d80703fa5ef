// Evidence in words: why an edge must be so, what is wrong, and the proof in
// steps. Cost is that of the evidence. Part of tell/tell.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// REQUIRES for all of these: `verify` accepts the evidence.

// The sentence why an edge must be so, in database words, e.g. "t6 read z=1
// from t5.", with its full stop. Several sentences for inferred edges and where
// a transaction's outcome is unknown.
std::string explain(const History& history, const Level& level,
                    const Edge& edge);
std::string explain(const History& history, const Step& step);

// One sentence that tells what is wrong, with its full stop.
std::string headline(const History& history, const Violation& violation);

// A step of a proof. It is about the order of two transactions, or it states
// what is to be seen in the history (then `from` and `to` are invalid).
struct ProofStep {
  std::string claim;       // "t4 comes before t6", without a full stop
  std::string reason;      // sentences; empty: the claim is a plain fact
  TxnId from, to;          // the claim: from comes before to
  std::vector<Step> path;  // sessions, reads and times that it follows from
  // What it states, unless that is a path: inferred, version_order or
  // anti_dependency. Empty as well for what holds only under a supposition.
  std::optional<Edge> edge;
  bool lemma = false;       // no part of the circle: used by later steps
  std::uint32_t depth = 0;  // within how many suppositions it is told
  std::vector<OpId> ops;    // that it rests on, in the order told
};

struct Proof {
  std::vector<ProofStep> steps;
  // Why they cannot all be, with its full stop: "1 and 3 contradict each other:
  // no commit order exists."
  std::string contradiction;
};

// The proof as it is told: what the clients did comes first, what follows from
// it last. Cost is that of the evidence.
Proof proof_of(const History& history, const Level& level,
               const Violation& violation);

// The transactions a violation is about, each once, in the order in which a
// reader meets them; init is not among them.
std::vector<TxnId> transactions_of(const History& history,
                                   const Violation& violation);

}  // namespace awdit
