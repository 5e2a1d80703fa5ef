#include "check/check.h"

#include <algorithm>
#include <numeric>

#include "base/budget.h"
#include "check/index.h"
#include "check/ladder.h"
#include "check/limits.h"

namespace awdit {

namespace {

// A level that holds proves all that it implies, in case they were given up.
const LevelReport* proven_by(const Report& report, const Level& level) {
  for (const LevelReport& other : report.levels) {
    if (other.verdict == Verdict::holds && implies(*other.level, level)) {
      return &other;
    }
  }
  return nullptr;
}

void conclude(LevelReport& entry, const LevelReport& known) {
  const Level* const level = entry.level;
  entry = known;
  entry.level = level;
  if (entry.follows_from == nullptr) entry.follows_from = known.level;
  if (!speaks_of_snapshots(*level)) entry.snapshots.clear();
  // In a serial order every snapshot is all that came before.
  if (entry.snapshots.empty() && speaks_of_snapshots(*level)) {
    entry.snapshots.resize(entry.commit_order.size());
    std::iota(entry.snapshots.begin(), entry.snapshots.end(), 0u);
  }
}

Error does_not_apply(const Level& level) {
  return Error{
      .where = "",
      .message = std::string(level.name) +
                 (level.real_time
                      ? " needs to know when transactions began and ended, but "
                        "the history has no times"
                      : " is a promise to sessions, but session order is left "
                        "out"),
      .excerpt = "",
      .hint = level.real_time
                  ? "Record it in a format that has times, or ask for another "
                    "level."
                  : "Check it with session order, or ask for another level."};
}

Result<Report> check_wanted(const History& history,
                            std::span<const Level* const> asked,
                            const Options& options) {
  for (const Level* level : asked) {
    if (!applies(*level, history)) return does_not_apply(*level);
  }
  Result<Index> index =
      Index::build(history, options.threads, options.grain, options.work);
  if (!index) return std::move(index.error());
  Report report;
  report.promoted = index->promoted();
  report.dropped = index->dropped();
  report.reads = index->reads();
  report.time_limit = options.time_limit;
  report.levels = climb(*index, asked, options);
  for (LevelReport& entry : report.levels) {
    if (entry.verdict != Verdict::undecided) continue;
    if (const LevelReport* known = proven_by(report, *entry.level)) {
      LevelReport proven = entry;
      const Limits limits(history, options);
      // Room for another copy of the order is needed.
      if (limits.within(*index, [&] { conclude(proven, *known); }) ==
          Limit::none) {
        entry = std::move(proven);
      }
    }
  }
  return report;
}

}  // namespace

// Here ends what is thrown when nobody wants the report any more.
Result<Report> check(const History& history,
                     std::span<const Level* const> asked,
                     const Options& options) {
  try {
    return check_wanted(history, asked, options);
  } catch (const UsedUp&) {
    return Error{.message = "the check was cancelled"};
  }
}

}  // namespace awdit
