// How the history came about, in sentences, as far as its recorder said so in
// words that we know (docs/recording.md). Part of tell/tell.h.
#pragma once

#include <string>
#include <vector>

#include "history/history.h"

namespace awdit {

// "Recorded from RocksDB 7.8.3 at snapshot, ...", "2 faults: kill at 1.2 s".
// Empty: nothing is known. Raw: may hold any bytes.
std::vector<std::string> recorded_sentences(const History& history);

}  // namespace awdit
