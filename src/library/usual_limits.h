// What a level may take if nobody says otherwise. Part of library/library.h.
#pragma once

#include "check/check.h"

namespace awdit {

// Seconds.
inline constexpr unsigned kUsualTimeLimit = 60;

// Of time and of memory.
void set_usual_limits(Options& options);
// Instead of the usual one: bytes besides the history; 0: no limit.
void set_memory_limit(Options& options, std::uint64_t bytes);

}  // namespace awdit
