// The operations of a story as a history of their own, to be kept, mailed and
// checked again. Private to src/report.
//
// It is written in the notation of tests (history/text.h), which every awdit
// reads. Of each transaction it has what the evidence names and nothing else,
// so that no read is left without its writer; labels that the notation cannot
// spell become short names, and what is initial becomes 0.
#pragma once

#include <string>

#include "history/history.h"
#include "report/story.h"

namespace awdit {

struct Reproducer {
  std::string text;  // empty: it would be too long to be of use
  // Whether checking the text gives the same kind of violation again.
  bool reproduces = false;
};

Reproducer reproducer_of(const History& history, const Story& story);

}  // namespace awdit
