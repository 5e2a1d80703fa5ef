// Evidence that can be kept and re-checked. Front door.
//
// A certificate is a JSON text that holds, for every level that was asked, the
// verdict and its evidence (commit order, or findings and cycles). `verify`
// accepts it iff the evidence proves the verdict, looking only at the raw
// history: it attributes reads by itself (by sorting, where check/ hashes) and
// shares no code with check/. `shrink` reduces evidence to the smallest part of
// the history that still shows it.
//
// Cost of verify: O(n log n) for cycles and findings, and near-linear in the
// evidence; for a commit order the cost of re-reading the axiom against it:
// near-linear in the operations when transactions are of bounded size.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "check/check.h"
#include "history/history.h"

namespace awdit {

// -- certificates ---------------------------------------------------------

// Where a certificate's history came from, for those who want to find it again.
struct Origin {
  std::vector<std::string> paths;  // as typed; several: together one history
  std::string format;              // of the history
  bool first = false;              // the search stopped at first findings
};

// The certificate's text; without paths it does not tell its origin. REQUIRES:
// the report was made with Options::commit_order.
std::string write_certificate(const History& history, const Report& report,
                              const Origin& origin = {});

// What a certificate claims; indices are those of the history it was made for.
struct Certificate {
  std::uint32_t sessions = 0, transactions = 0, operations = 0;
  // Whether the order of sessions counted; if not, it is about
  // History::without_session_order.
  bool session_order = true;
  std::vector<LevelReport> levels;
  Origin origin;  // told, not proven
};

// Fails on text that is not a certificate of a version we know, naming the
// place. Does not look at a history: ids may be out of range, verify tells.
Result<Certificate> read_certificate(std::string_view text,
                                     std::string_view file);

// -- verification -----------------------------------------------------------

struct LevelCheck {
  const Level* level = nullptr;
  Verdict verdict = Verdict::undecided;
  bool accepted = false;
  // If rejected: one sentence, what is wrong with the evidence.
  std::string objection;
};

// Attributes the reads of a history once, then accepts or rejects evidence for
// one level at a time. Never trusts an id in it. `history` must outlive it.
struct Attribution;
class Verifier {
 public:
  explicit Verifier(const History& history);
  Verifier(Verifier&&) noexcept;
  ~Verifier();

  LevelCheck judge(const LevelReport& claim) const;

 private:
  const History* history_;
  std::unique_ptr<const Attribution> attribution_;
};

LevelCheck verify(const History& history, const LevelReport& claim);

// The same for several levels.
std::vector<LevelCheck> verify(const History& history,
                               std::span<const LevelReport> claims);

// The same for all levels of a certificate. Rejects every level if session
// order counted in only one of history and certificate.
std::vector<LevelCheck> verify(const History& history,
                               const Certificate& certificate);

// The report that the certificate is the evidence of: its verdicts, and what
// the history says about transactions of unknown outcome. REQUIRES: `verify`
// accepts every level.
Report report_of(const History& history, Certificate certificate);

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
