#include "tell/broken_levels.h"

#include <algorithm>

#include "check/check.h"
#include "tell/extract.h"

namespace awdit {
namespace {

// Operations that are checked again.
constexpr std::size_t kFewOps = 400;

bool is_missed(const Edge& edge) {
  return edge.reason == Reason::anti_dependency;
}

// Whether the level forbids a circle of these dependencies: see Cycles.
bool forbids(const Level& level, const std::vector<Edge>& edges) {
  const std::size_t n = edges.size();
  std::size_t missed = 0, adjacent = 0, after_versions = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (edges[i].reason == Reason::inferred) return false;
    if (edges[i].reason == Reason::real_time && !level.real_time) return false;
    if (!is_missed(edges[i])) continue;
    const Edge& before = edges[(i + n - 1) % n];
    ++missed;
    adjacent += is_missed(before) ? 1 : 0;
    after_versions += before.reason == Reason::version_order ? 1 : 0;
  }
  switch (level.cycles) {
    case Cycles::by_axiom:
      return false;
    case Cycles::prefix:
      return adjacent == 0 && after_versions == 0;
    case Cycles::parallel:
      return missed <= 1;
    case Cycles::snapshot:
      return adjacent == 0;
    case Cycles::all:
      return true;
  }
  return false;
}

// As far as the evidence itself tells.
bool refutes(const Violation& violation, const Level& level) {
  if (violation.kind == Kind::causality_cycle) return true;
  switch (anomaly(violation.kind).form) {
    case Form::finding:
      // No level allows such a read; but that it is repeatable is demanded from
      // some level on, which may not be the weakest asked.
      return violation.kind != Kind::non_repeatable_read;
    case Form::lost_update:
      return level.cycles == Cycles::parallel ||
             level.cycles == Cycles::snapshot || level.cycles == Cycles::all;
    case Form::axiom_cycle:
    case Form::dependency_cycle:
      break;
  }
  bool forbidden = true;
  walk(violation, [&](const std::vector<Edge>& cycle) {
    // A lemma that a list shows has none.
    forbidden = forbidden && (cycle.empty() || forbids(level, cycle));
  });
  return forbidden;
}

// What a check of the part alone says of each level.
void decide_part(const History& part, double seconds,
                 std::vector<const Level*>& violated,
                 std::vector<const Level*>& holding) {
  constexpr double kLeast = 1e-6;  // 0 would be no limit
  const std::vector<const Level*> asked = applicable_levels(part);
  const Result<Report> report = check(
      part, asked, {.first = true, .time_limit = std::max(seconds, kLeast)});
  if (!report) return;
  for (const LevelReport& level : report->levels) {
    if (level.verdict == Verdict::violated) violated.push_back(level.level);
    if (level.verdict == Verdict::holds) holding.push_back(level.level);
  }
}

}  // namespace

void find_broken_levels(const History& history, const Report& report,
                        double seconds, Story& story) {
  std::vector<const Level*> violated = {story.level};
  std::vector<const Level*> holding;
  if (story.ops.size() + story.silent.size() != 0 &&
      story.ops.size() <= kFewOps) {
    decide_part(extract(history, story.ops, story.silent), seconds, violated,
                holding);
  }
  for (const Level& row : levels()) {
    if (refutes(story.violation, row)) violated.push_back(&row);
  }
  for (const LevelReport& asked : report.levels) {
    if (asked.verdict == Verdict::holds) holding.push_back(asked.level);
  }
  for (const Level* row : applicable_levels(history)) {
    if (std::ranges::any_of(violated, [&](const Level* weak) {
          return implies(*row, *weak);
        })) {
      story.breaks.push_back(row);
    } else if (std::ranges::any_of(holding, [&](const Level* strong) {
                 return implies(*strong, *row);
               })) {
      story.keeps.push_back(row);
    }
  }
}

}  // namespace awdit
