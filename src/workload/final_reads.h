// What small workloads do at the end: read every key once more, so that the
// last writes are seen. Private to workload/.
#pragma once

#include <string>
#include <vector>

#include "workload/task.h"

namespace awdit {

inline constexpr std::size_t kFinalReads = 8;  // per transaction, as Elle does

// `lists`: the keys are of lists.
Task final_reads(std::vector<std::string> keys, bool lists);

}  // namespace awdit
