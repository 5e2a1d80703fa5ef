#include "property/trial.h"

#include <utility>

#include "evidence_parts.h"

namespace awdit::property {

Trial::Trial(const Script& told, const Scrutiny& wanted, std::uint64_t seed)
    : script(told),
      scrutiny(wanted),
      random(seed),
      history(to_history(told)),
      facts(oracle::resolve(history)),
      verifier(history) {}

TrialPart::TrialPart(Trial& trial)
    : script_(trial.script),
      scrutiny_(trial.scrutiny),
      random_(trial.random),
      history_(trial.history),
      facts_(trial.facts),
      verifier_(trial.verifier),
      complaint_(trial.complaint) {}

void TrialPart::complain(std::string text) {
  if (!complaint_) complaint_ = std::move(text);
}

void TrialPart::complain(const Level& level, const std::string& text) {
  complain(std::string(level.name) + ": " + text);
}

void TrialPart::must_accept(const LevelReport& report,
                            const std::string& what) {
  const LevelCheck checked = verifier_.judge(report);
  if (!checked.accepted) {
    complain(*report.level, what + " rejected: " + checked.objection);
  }
}

void TrialPart::must_reject(const LevelReport& claim, const std::string& what) {
  if (verifier_.judge(claim).accepted) {
    complain(*claim.level, "accepted: " + what);
  }
}

bool TrialPart::satisfies(const oracle::Oracle& oracle,
                          const std::vector<TxnId>& order,
                          const std::vector<std::uint32_t>& snapshots) const {
  if (oracle.has_snapshots()) {
    return oracle::replays(facts_, oracle, numbers(order), snapshots);
  }
  return snapshots.empty() && oracle::satisfies(facts_, oracle, numbers(order));
}

Result<Report> ask_all(const History& history, Options options) {
  options.commit_order = true;
  return check(history, applicable_levels(history), options);
}

std::vector<LevelReport> quick_reports(const History& history) {
  std::vector<LevelReport> reports;
  for (const Level* level : applicable_levels(history)) {
    if (level->cycles != Cycles::by_axiom) continue;
    Options options;
    options.only_first_level = true;
    const Level* const alone[] = {level};
    Result<Report> report = check(history, alone, options);
    if (report) reports.push_back(std::move(report->levels[0]));
  }
  return reports;
}

oracle::Findings findings_of(const LevelReport& report) {
  oracle::Findings findings;
  for (const Violation& violation : report.violations) {
    findings.insert({violation.kind, read_of(violation).v});
  }
  return findings;
}

bool is_read_consistency(Kind kind) {
  return anomaly(kind).form == Form::finding &&
         kind != Kind::non_repeatable_read;
}

std::vector<std::uint32_t> numbers(const std::vector<TxnId>& txns) {
  std::vector<std::uint32_t> result;
  for (TxnId t : txns) result.push_back(t.v);
  return result;
}

}  // namespace awdit::property
