// The bugs of the simulated database, as its code names them. Private to
// simulated/.
#pragma once

#include <cstdint>

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

}  // namespace awdit
