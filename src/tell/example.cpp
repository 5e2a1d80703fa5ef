#include "tell/example.h"

#include <utility>

#include "check/check.h"
#include "history/text.h"

namespace awdit {
namespace {

// The story of this kind, or the first. nullptr: `notation` is no history, or
// nothing is wrong with it.
std::unique_ptr<const Example> example_of(std::string_view notation,
                                          const Kind* kind) {
  Result<History> history = parse_text(notation);
  if (!history) return nullptr;
  Result<Report> report = check(*history, applicable_levels(*history), {});
  if (!report) return nullptr;
  for (Story& story : stories(*history, *report, kAllGroups).told) {
    if (kind != nullptr && story.violation.kind != *kind) continue;
    return std::make_unique<const Example>(
        Example{std::move(*history), std::move(*report), std::move(story)});
  }
  return nullptr;
}

}  // namespace

std::vector<std::unique_ptr<const Example>> examples_of(
    std::span<const Level* const> levels,
    std::span<const Anomaly* const> anomalies) {
  std::vector<std::unique_ptr<const Example>> found;
  for (const Level* level : levels) {
    found.push_back(example_of(level->example, nullptr));
  }
  for (const Anomaly* row : anomalies) {
    found.push_back(example_of(row->example, &row->kind));
  }
  return found;
}

}  // namespace awdit
