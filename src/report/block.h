// One violation, told to a person. Private to src/report.
#pragma once

#include "report/layout.h"
#include "tell/tell.h"

namespace awdit {

// Title, what is wrong in one sentence, the transactions with the operations
// that matter, the proof in numbered steps, the contradiction.
void append_block(const History& history, const Report& report,
                  const Story& story, const Screen& to);

}  // namespace awdit
