// The operations that a story shows, as a history that awdit reads. Private to
// src/report.
//
// It is small enough to be pasted into a bug tracker. Reads whose writers the
// story does not show are left out unless the violation is about them: they
// would look as if nobody had written what they returned.
#pragma once

#include <string>
#include <string_view>

#include "history/history.h"
#include "report/story.h"

namespace awdit {

struct Reproducer {
  std::string_view format;  // plume where it can hold it, else awdit-jsonl
  std::string text;         // lines, each with its newline
  // Whether the writers of all its reads are in it, so that it shows the same
  // violation and no other.
  bool complete = false;
};

Reproducer reproducer_of(const History& history, const Story& story);

}  // namespace awdit
