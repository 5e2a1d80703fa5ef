// The verifier: evidence against the raw history.
//
// Two questions, answered in files of their own. Does the commit order satisfy
// the level (replay.cpp, axioms_*.cpp)? Does every violation prove itself
// (judge_*.cpp)? Both stand on the verifier's own attribution of reads
// (attribution.cpp). With the checker it shares the words only (src/theory):
// types of evidence, names of levels and kinds, and which level implies which.
#include <fmt/format.h>

#include "witness/attribution.h"
#include "witness/axioms.h"
#include "witness/judge_violation.h"
#include "witness/phrases.h"
#include "witness/replay.h"
#include "witness/witness.h"

namespace awdit {
namespace {

constexpr const char* kOfUndecided =
    "only a level that was left undecided has a limit";

std::string quote_finding(const History& history, const ReadFinding& finding) {
  return fmt::format("{}'s read of {} is a violation ({})",
                     history.txn_name(history.txn_of(finding.read)),
                     quote(history, finding.read), anomaly(finding.kind).name);
}

std::string breach_of_axiom(const History& history,
                            const Attribution& attribution, const Level& level,
                            const Replay& played) {
  switch (level.premise) {
    case Premise::nobody:
      return "";
    case Premise::read_before:
    case Premise::direct:
      return breach_of_direct(history, attribution, level.premise, played);
    case Premise::session:
    case Premise::read_session:
    case Premise::session_read:
    case Premise::read_read:
      return breach_of_guarantee(history, attribution, level.premise, played);
    case Premise::depends_on:
      return breach_of_causal(history, attribution, played);
  }
  return fmt::format("the verifier does not know the axiom of {}", level.title);
}

std::string breach_of_level(const History& history,
                            const Attribution& attribution,
                            const LevelReport& claim, const Replay& played) {
  const Level& level = *claim.level;
  switch (level.cycles) {
    case Cycles::by_axiom:
      return breach_of_axiom(history, attribution, level, played);
    case Cycles::prefix:
    case Cycles::snapshot:
      return breach_of_snapshots(history, attribution, level, played,
                                 claim.snapshots);
    case Cycles::parallel:
      return breach_of_parallel(history, attribution, played);
    case Cycles::all:
      return breach_of_serial(history, attribution, level, played);
  }
  return "the verifier does not know the level";
}

std::string objection_to_holds(const History& history,
                               const Attribution& attribution,
                               const LevelReport& claim) {
  const Level& level = *claim.level;
  if (!claim.violations.empty()) {
    return "a level that holds has no violations, but some are listed";
  }
  if (claim.inherited != 0 || claim.more || !claim.set_aside.empty()) {
    return "a level that holds says nothing about a search for violations";
  }
  if (claim.limit != Limit::none) return kOfUndecided;
  if (claim.follows_from != nullptr && !implies(*claim.follows_from, level)) {
    return fmt::format("it is said to follow from {}, which does not imply it",
                       claim.follows_from->title);
  }
  if (!claim.snapshots.empty() && !speaks_of_snapshots(level)) {
    return fmt::format("{} does not speak of snapshots, but some are given",
                       level.title);
  }
  if (!attribution.findings.empty()) {
    return quote_finding(history, attribution.findings.front());
  }
  if (!attribution.unrepeatable.empty() && demands_repeatable_reads(level)) {
    return quote_finding(history, attribution.unrepeatable.front());
  }
  const Replay played = replay(history, attribution, claim.commit_order);
  if (!played.objection.empty()) return played.objection;
  return breach_of_level(history, attribution, claim, played);
}

std::string objection_to_violated(const History& history,
                                  const Attribution& attribution,
                                  const LevelReport& claim) {
  if (!claim.commit_order.empty()) {
    return "a level that is violated has no commit order, but one is given";
  }
  if (!claim.snapshots.empty()) {
    return "a level that is violated has no snapshots, but some are given";
  }
  if (claim.limit != Limit::none) return kOfUndecided;
  if (claim.follows_from != nullptr &&
      !implies(*claim.level, *claim.follows_from)) {
    return fmt::format("it is said to follow from {}, which it does not imply",
                       claim.follows_from->title);
  }
  if (claim.violations.empty()) return "no violation is given";
  if (claim.inherited > claim.violations.size()) {
    return "more violations are said to be inherited than are given";
  }
  for (std::size_t i = 0; i < claim.set_aside.size(); ++i) {
    const OpId read = claim.set_aside[i];
    if (read.v >= history.num_ops() || history.is_write(read)) {
      return "what was set aside is not always a read";
    }
    if (i != 0 && !(claim.set_aside[i - 1] < read)) {
      return "the reads set aside do not ascend";
    }
  }
  for (std::size_t i = 0; i < claim.violations.size(); ++i) {
    const std::string objection = objection_to_violation(
        history, attribution, *claim.level, claim.violations[i]);
    if (!objection.empty()) {
      return fmt::format("violation {} is not proven: {}", i + 1, objection);
    }
  }
  return "";
}

LevelCheck verify(const History& history, const Attribution& attribution,
                  const LevelReport& claim) {
  LevelCheck result;
  result.level = claim.level;
  result.verdict = claim.verdict;
  if (claim.level == nullptr) {
    result.objection = "no level is named";
  } else if (!attribution.malformed.empty()) {
    result.objection = attribution.malformed;
  } else if (claim.level->real_time && history.clock() == Clock::none) {
    result.objection =
        fmt::format("{} looks at real time, but the history has no times",
                    claim.level->title);
  } else if (!applies(*claim.level, history)) {
    result.objection =
        fmt::format("{} is a promise to sessions, whose order is left out",
                    claim.level->title);
  } else if (claim.verdict == Verdict::holds) {
    result.objection = objection_to_holds(history, attribution, claim);
  } else if (claim.verdict == Verdict::violated) {
    result.objection = objection_to_violated(history, attribution, claim);
  } else {
    result.objection =
        "the level was left undecided: there is nothing to prove";
  }
  result.accepted = result.objection.empty();
  return result;
}

}  // namespace

Verifier::Verifier(const History& history)
    : history_(&history),
      attribution_(
          std::make_unique<const Attribution>(attribute_reads(history))) {}
Verifier::Verifier(Verifier&&) noexcept = default;
Verifier::~Verifier() = default;

LevelCheck Verifier::judge(const LevelReport& claim) const {
  return verify(*history_, *attribution_, claim);
}

LevelCheck verify(const History& history, const LevelReport& claim) {
  return Verifier(history).judge(claim);
}

std::vector<LevelCheck> verify(const History& history,
                               std::span<const LevelReport> claims) {
  const Verifier verifier(history);
  std::vector<LevelCheck> results;
  results.reserve(claims.size());
  for (const LevelReport& claim : claims) {
    results.push_back(verifier.judge(claim));
  }
  return results;
}

std::vector<LevelCheck> verify(const History& history,
                               const Certificate& certificate) {
  // A history without transactions has no session order to be left out.
  if (certificate.session_order == history.session_order() ||
      history.num_txns() == 0) {
    return verify(history, std::span(certificate.levels));
  }
  std::vector<LevelCheck> results;
  for (const LevelReport& claim : certificate.levels) {
    results.push_back(
        {claim.level, claim.verdict, false,
         certificate.session_order
             ? "it was made with session order, which this history leaves out"
             : "it was made without session order, which this history has"});
  }
  return results;
}

}  // namespace awdit
