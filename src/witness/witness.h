// Evidence that can be kept and re-checked. Front door.
//
// A certificate is a JSON text that holds, for every level that was asked, the
// verdict and its evidence (commit order, or findings and cycles). `verify`
// accepts it iff the evidence proves the verdict, looking only at the raw
// history: it attributes reads by itself (by sorting, where check/ hashes) and
// cannot call check/: src/witness/CMakeLists.txt refuses to link it.
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
#include "history/history.h"
#include "theory/theory.h"

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

}  // namespace awdit
