// The smallest story as a history of its own, to be kept, mailed and checked
// again. Private to src/report.
//
// It is plume text where that can hold it, else awdit-jsonl; with the input's
// own keys, values and ids. That it shows the violation by itself was decided
// when the story was shrunk (Story::ops).
#pragma once

#include <string>
#include <string_view>

#include "history/history.h"
#include "tell/tell.h"

namespace awdit {

struct Reproducer {
  std::string_view format;
  // Empty: there is none, it would be too long to be of use, or JSON cannot
  // hold its texts.
  std::string text;
};

Reproducer reproducer_of(const History& history, const Story& story);

}  // namespace awdit
