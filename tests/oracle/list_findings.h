// What is wrong with single lists, and what the sound ones show.
#pragma once

#include "history/history.h"
#include "oracle/oracle.h"

namespace awdit::oracle {

// Fills what Facts says of lists, besides reads and read_findings. REQUIRES:
// history.has_lists(); live, writers and keys are known.
void judge_lists(const History& history, Facts& facts);

}  // namespace awdit::oracle
