// The sentence that a check ends in. Levels form a lattice, not always a chain,
// so "the strongest" may be several; with one level asked there is nothing to
// compare and the sentence says just that.
#include <fmt/format.h>

#include "base/counted.h"
#include "tell/phrases.h"
#include "tell/sentences.h"

namespace awdit {
namespace {

std::vector<const Level*> with_verdict(const Report& report, Verdict verdict) {
  std::vector<const Level*> found;
  for (const LevelReport& level : report.levels) {
    if (level.verdict == verdict) found.push_back(level.level);
  }
  return found;
}

// "a", "a and b", "a, b and c"
std::string join(const std::vector<const Level*>& levels) {
  std::vector<std::string> names;
  for (const Level* level : levels) names.emplace_back(level->name);
  return listed(names);
}

}  // namespace

std::vector<const Level*> strongest_holding(const Report& report) {
  return strongest_of(with_verdict(report, Verdict::holds));
}

std::vector<const Level*> weakest_violated(const Report& report) {
  return weakest_of(with_verdict(report, Verdict::violated));
}

std::string conclusion(const Report& report) {
  const std::vector<const Level*> holding = strongest_holding(report);
  const std::vector<const Level*> violated = weakest_violated(report);
  const std::vector<const Level*> undecided =
      with_verdict(report, Verdict::undecided);
  if (report.levels.size() == 1) {
    const LevelReport& only = report.levels.front();
    return fmt::format("{} {}{}.", only.level->name,
                       only.verdict == Verdict::holds ? "" : "is ",
                       name(only.verdict));
  }
  if (violated.empty() && undecided.empty()) {
    return "Every level asked for holds; the strongest: " + join(holding) + ".";
  }
  if (holding.empty() && undecided.empty()) {
    return "No level asked for holds; the weakest: " + join(violated) + ".";
  }
  std::string text;
  const auto add = [&](std::string_view one, std::string_view several,
                       const std::vector<const Level*>& levels) {
    if (levels.empty()) return;
    if (!text.empty()) text += ' ';
    text += levels.size() == 1 ? one : several;
    text += join(levels) + ".";
  };
  add("Strongest level that holds: ", "Strongest levels that hold: ", holding);
  add("Weakest that breaks: ", "Weakest that break: ", violated);
  add("Undecided: ", "Undecided: ", undecided);
  return text;
}

}  // namespace awdit
