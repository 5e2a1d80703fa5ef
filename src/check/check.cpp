#include "check/check.h"

#include "check/index.h"

namespace awdit {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::violated:
      return "violated";
    case Verdict::undecided:
      return "undecided";
  }
  return "?";
}

Result<Report> check(const History& history,
                     std::span<const Level* const> asked,
                     const Options& options) {
  Result<Index> index = Index::build(history, options.threads, options.grain);
  if (!index) return std::move(index.error());
  Report report;
  report.promoted = index->promoted();
  report.dropped = index->dropped();
  report.reads = index->reads();
  for (const Level* level : asked) {
    LevelReport& entry = report.levels.emplace_back();
    entry.level = level;
    level->decide(*index, options, entry);
  }
  return report;
}

}  // namespace awdit
