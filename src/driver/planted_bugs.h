// The bugs of the simulated database, as its code names them. Private to
// driver/.
#pragma once

#include <cstdint>

#include "driver/driver.h"

namespace awdit {

// In the order of the rows of planted_bugs().
enum class Bug : std::uint8_t {
  aborted,
  intermediate,
  future,
  thin_air,
  own_write,
  stale_own_write,
  duplicate,
  reordered,
  non_monotonic,
  non_repeatable,
  fractured,
  stale_session,
  lost_commit,
  causal,
  lost_update,
  long_fork,
  write_skew,
  none,
};

// Whether who promises `level` promises `weaker` as well.
bool promises(std::string_view level, std::string_view weaker);

}  // namespace awdit
