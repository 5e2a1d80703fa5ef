// Examples that cannot be untrue: histories in the notation of tests that are
// checked and told here and now. Part of tell/tell.h.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "history/history.h"
#include "tell/stories.h"
#include "theory/theory.h"

namespace awdit {

struct Example {
  History history;
  Report report;
  Story story;
};

// Those of the levels, each the first story that is told of its history, then
// those of the anomalies, each the story of its kind.
std::vector<std::unique_ptr<const Example>> examples_of(
    std::span<const Level* const> levels,
    std::span<const Anomaly* const> anomalies);

}  // namespace awdit
