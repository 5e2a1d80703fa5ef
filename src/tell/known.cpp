#include "tell/known.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "tell/digest.h"

namespace awdit {
namespace {

// "3 fractured reads and 1 long fork", of those that are known or are not.
std::string counted_kinds(const std::vector<std::uint64_t>& counts,
                          const Known& known, bool wanted) {
  std::vector<std::string> texts;
  for (const Anomaly& row : anomalies()) {
    const std::uint64_t found = counts[static_cast<std::size_t>(row.kind)];
    if (found == 0 || known.has(row.kind) != wanted) continue;
    texts.push_back(count(found, row.kind));
  }
  return listed(texts);
}

}  // namespace

std::vector<std::uint64_t> count_kinds(const Report& report) {
  std::vector<std::uint64_t> most(anomalies().size(), 0);
  std::vector<std::uint64_t> counts;
  for (const LevelReport& level : report.levels) {
    counts.assign(most.size(), 0);
    for (const Violation& violation : level.violations) {
      ++counts[static_cast<std::size_t>(violation.kind)];
    }
    for (std::size_t i = 0; i < most.size(); ++i) {
      most[i] = std::max(most[i], counts[i]);
    }
  }
  return most;
}

bool is_known(const Report& report, const LevelReport& level,
              const Known& known) {
  if (level.verdict != Verdict::violated) return false;
  if (level.violations.empty()) {
    return level.follows_from != nullptr &&
           std::any_of(report.levels.begin(), report.levels.end(),
                       [&](const LevelReport& other) {
                         return other.level == level.follows_from &&
                                other.level != level.level &&
                                is_known(report, other, known);
                       });
  }
  return std::all_of(
      level.violations.begin(), level.violations.end(),
      [&](const Violation& violation) { return known.has(violation.kind); });
}

std::string known_sentence(const Report& report, const Known& known) {
  const std::vector<std::uint64_t> counts = count_kinds(report);
  const std::string old = counted_kinds(counts, known, true);
  const std::string added = counted_kinds(counts, known, false);
  if (old.empty() && added.empty()) return "";
  return fmt::format("{}{}.", old.empty() ? "" : "Known: " + old + ". ",
                     added.empty() ? "Nothing new" : "New: " + added);
}

}  // namespace awdit
