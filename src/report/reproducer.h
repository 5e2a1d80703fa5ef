// The operations of a story as a history of their own, to be kept, mailed and
// checked again. Private to src/report.
//
// It is in awdit-jsonl (docs/formats/awdit-jsonl.md): one transaction per line,
// with the input's own keys, values and ids. Of each transaction it has what
// the evidence names and nothing else. What was read of transactions that are
// no part of the story, like most elements of a list, is written by a session
// of its own, "others", so that no read is left without its writer.
#pragma once

#include <string>

#include "history/history.h"
#include "report/story.h"

namespace awdit {

struct Reproducer {
  std::string text;  // empty: it would be too long to be of use
  // Whether checking it gives the same kind of violation again: this is tried.
  bool reproduces = false;
};

Reproducer reproducer_of(const History& history, const Report& report,
                         const Story& story);

}  // namespace awdit
