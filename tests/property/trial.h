// One history on trial, and what those share who judge what is said of it. Each
// is a file: answers.cpp holds reports against the definitions, claims.cpp the
// verifier against what is made up, repeats.cpp reports against each other.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/check.h"
#include "oracle/oracle.h"
#include "property/judge.h"
#include "witness/witness.h"

namespace awdit::property {

struct Trial {
  Trial(const Script& told, const Scrutiny& wanted, std::uint64_t seed);

  const Script& script;
  const Scrutiny& scrutiny;
  Random random;
  const History history;
  const oracle::Facts facts;
  const Verifier verifier;
  std::optional<std::string> complaint;  // the first one
};

class TrialPart {
 public:
  explicit TrialPart(Trial& trial);

 protected:
  void complain(std::string text);
  void complain(const Level& level, const std::string& text);
  void must_accept(const LevelReport& report, const std::string& what);
  void must_reject(const LevelReport& claim, const std::string& what);

  // Whether the definition of the level allows that order.
  bool satisfies(const oracle::Oracle& oracle, const std::vector<TxnId>& order,
                 const std::vector<std::uint32_t>& snapshots) const;

  const Script& script_;
  const Scrutiny& scrutiny_;
  Random& random_;
  const History& history_;
  const oracle::Facts& facts_;
  const Verifier& verifier_;

 private:
  std::optional<std::string>& complaint_;
};

// All levels that apply, at once, and their orders.
Result<Report> ask_all(const History& history, Options options = {});
// The weak levels by themselves, nothing left out: one cycle per component.
std::vector<LevelReport> quick_reports(const History& history);

oracle::Findings findings_of(const LevelReport& report);
bool is_read_consistency(Kind kind);
std::vector<std::uint32_t> numbers(const std::vector<TxnId>& txns);

// What the definitions say of the report, and of each weak level's alone.
void judge_answers(Trial& trial, const Report& report);
// What a violation above causal rests on violates the level by itself.
void judge_cores(Trial& trial, const Report& report);
// What the verifier says of wrong evidence, and of orders, right or wrong.
void judge_claims(Trial& trial, const Report& report);
// A malformed history has no verdict, so that no evidence proves one.
void reject_everything(Trial& trial);
// The certificate of the report, read again.
void judge_certificate(Trial& trial, const Report& report);
// The same history with other options, and by other names.
void judge_options(Trial& trial, const Report& report);
void judge_renaming(Trial& trial, const Report& report);
// Sessions as a hint, and those of lists that are on cycles alone, which a
// history of this size would not need.
void judge_as_if_large(Trial& trial, const Report& report);
void judge_as_if_in_disorder(Trial& trial, const Report& report);

}  // namespace awdit::property
