#include "library/usual_limits.h"

#include "base/memory.h"

namespace awdit {

void set_usual_limits(Options& options) {
  options.time_limit = kUsualTimeLimit;
  // Leaves others some room; 0, no limit, if nobody tells how much there is.
  options.memory_in_all = memory_of_process() / 4 * 3;
  options.memory_by_size = true;
}

void set_memory_limit(Options& options, std::uint64_t bytes) {
  options.memory_limit = bytes;
  options.memory_in_all = 0;
  options.memory_by_size = false;
}

}  // namespace awdit
