#include "tell/example.h"

#include <utility>

#include "check/check.h"
#include "history/text.h"

namespace awdit {

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

}  // namespace awdit
