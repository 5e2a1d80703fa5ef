// From evidence to what a person is told: the smallest part of a history that
// shows a violation, its proof in steps, one sentence that says what is wrong.
// Front door.
//
// Cost: shrinking passes over the history once, then depends on the evidence
// only (see shrink.cpp); the rest is that of the evidence.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// -- the smallest story -----------------------------------------------------

// A part of a history that violates a level by itself.
struct Shrunk {
  // Ascending, which is the order of the input; a transaction that has none is
  // left out, unless it is among `silent`.
  std::vector<OpId> ops;
  // Transactions of which only the times matter: those that the evidence rests
  // on and that have no write to be shown by; ascending.
  std::vector<TxnId> silent;
  // At which it is looked for: a level that the violation refutes and that the
  // given one implies.
  const Level* level = nullptr;
  // Of the kind that was asked for, and about these operations only; ids are
  // those of the whole history, for which `verify` accepts it. A cycle of
  // dependencies may be of another kind, if they show it in another way only.
  Violation violation{};
  // Whether the part violates the level by itself. If not, it is what the given
  // evidence rests on, and `violation` is that evidence.
  bool stands_alone = false;
  // Whether every single transaction and operation was tried in vain to leave
  // out; false: there is too much of it to try.
  bool minimal = false;
  // Whether the time limit came first.
  bool out_of_time = false;
  // Parts that were decided, and the operations in them.
  std::uint64_t tried = 0;
  std::uint64_t work = 0;
};

// The violation that is easiest to tell: of the most basic kind (the first in
// the order of the enumeration), or of the given one, the first with the fewest
// steps. nullptr: there is none.
const Violation* simplest(const LevelReport& report,
                          std::optional<Kind> kind = std::nullopt);

// A violation of a level.
struct Claim {
  const Level* level;
  const Violation* violation;
};

// Leaves out transactions and operations as long as what is left violates the
// level with the same kind, for reasons that hold in the whole history too.
// Several at once share the pass over the history. REQUIRES: `verify` accepts
// each. Cost: one pass over the history, the rest does not depend on its size:
// see shrink.cpp. `time_limit`: seconds for all of them, 0: none; what is left
// then is not minimal, or not even tried whether it stands alone.
std::vector<Shrunk> shrink(const History& history,
                           std::span<const Claim> claims,
                           double time_limit = 0);
Shrunk shrink(const History& history, const Level& level,
              const Violation& violation, double time_limit = 0);

// These operations alone as a history, with the names, outcomes, times and
// notes of their sessions and transactions, and their places in the input;
// operation i of it is ops[i]. `silent`: other transactions that are in it,
// too, without operations. REQUIRES: both ascending.
History extract(const History& history, std::span<const OpId> ops,
                std::span<const TxnId> silent = {});
// The same with the sessions of the input, even if their order does not count
// in `history`: to be written to a file.
History extract_sessions(const History& history, std::span<const OpId> ops,
                         std::span<const TxnId> silent = {});
// The transactions of such a part, in the order of its input_order().
std::vector<TxnId> extracted_txns(const History& history,
                                  std::span<const OpId> ops,
                                  std::span<const TxnId> silent = {});

// -- explanations -----------------------------------------------------------

// REQUIRES for all of these: `verify` accepts the evidence.

// The sentence why an edge must be so, in database words, e.g. "t6 read z=1
// from t5.", with its full stop. Several sentences for inferred edges and where
// a transaction's outcome is unknown.
std::string explain(const History& history, const Level& level,
                    const Edge& edge);

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
