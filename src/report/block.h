// One violation, told to a person. Private to src/report.
#pragma once

#include "base/sink.h"
#include "history/history.h"
#include "report/layout.h"
#include "tell/tell.h"
#include "theory/theory.h"

namespace awdit {

// Title, what is wrong in one sentence, the transactions with the operations
// that matter, the proof in numbered steps, the contradiction.
void append_block(const History& history, const Report& report,
                  const Story& story, const Palette& colours, Sink& sink);

}  // namespace awdit
