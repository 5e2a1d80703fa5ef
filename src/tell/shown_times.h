// Times as reports show them beside each other: those of several clocks on one
// axis, as far as it is known how the clocks differ. For eyes, not for
// verdicts. Part of tell/tell.h.
#pragma once

#include <optional>

#include "history/history.h"

namespace awdit {

inline std::optional<History::Times> shown_times(const History& history,
                                                 TxnId txn) {
  std::optional<History::Times> times = history.times(txn);
  if (!times || history.has_one_clock()) return times;
  const std::int64_t shift =
      history.clock_domains().shift(history.clock_domain(txn));
  for (std::int64_t* at : {&times->begin, &times->end}) {
    std::int64_t moved = 0;
    if (*at != kNoTime && !__builtin_add_overflow(*at, shift, &moved)) {
      *at = moved;
    }
  }
  return times;
}

}  // namespace awdit
