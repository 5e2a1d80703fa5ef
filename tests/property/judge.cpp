#include "property/judge.h"

#include <cstdlib>

#include "property/trial.h"

namespace awdit::property {
namespace {

void judge(Trial& trial) {
  const History& history = trial.history;
  const Result<Report> report = ask_all(history);
  if (trial.facts.malformed) {
    if (report) trial.complaint = "a value written twice was not noticed";
    return reject_everything(trial);
  }
  if (!report) {
    trial.complaint = "an error: " + report.error().message;
    return;
  }
  judge_answers(trial, *report);
  if (trial.complaint) return;
  const Scrutiny& scrutiny = trial.scrutiny;
  if (scrutiny.forgeries) judge_claims(trial, *report);
  if (scrutiny.certificate) judge_certificate(trial, *report);
  if (scrutiny.core) judge_cores(trial, *report);
  if (scrutiny.options) judge_options(trial, *report);
  if (scrutiny.renaming) judge_renaming(trial, *report);
  const bool has_hints = !history.session_order() || history.has_lists();
  if (trial.random() % 3 != 0) return;
  if (has_hints) {
    judge_as_if_large(trial, *report);
  } else {
    judge_as_if_in_disorder(trial, *report);
  }
}

}  // namespace

std::optional<std::string> complaint(const Script& script,
                                     const Scrutiny& scrutiny,
                                     std::uint64_t seed) {
  Trial trial(script, scrutiny, seed);
  judge(trial);
  return trial.complaint;
}

std::optional<std::string> explained_complaint(const Script& script,
                                               const Scrutiny& scrutiny,
                                               std::uint64_t seed) {
  const std::optional<std::string> first = complaint(script, scrutiny, seed);
  if (!first) return std::nullopt;
  const Script small = shrink(script, [&](const Script& smaller) {
    return complaint(smaller, scrutiny, seed).has_value();
  });
  return "seed " + std::to_string(seed) + ": " + *first + "\n" +
         "shrunk: " + *complaint(small, scrutiny, seed) + "\n" +
         to_notation(small);
}

std::size_t random_histories() {
  const char* text = std::getenv("AWDIT_RANDOM_HISTORIES");
  return text == nullptr ? 200'000 : std::strtoul(text, nullptr, 10);
}

bool takes_long() { return std::getenv("AWDIT_LONG") != nullptr; }

}  // namespace awdit::property
