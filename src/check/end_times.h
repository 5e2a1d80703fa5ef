// Who had ended when a transaction began. Private to check/.
//
// Clock after clock: within one an end is before a begin as they stand; those
// of others are compared by what is known between the two (history.h). Of a
// clock's transactions by their end, those that had ended are the first so
// many: a binary search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "history/history.h"

namespace awdit {

class EndTimes {
 public:
  // Of these, whose outcome and end are known. O(n log n).
  EndTimes(const History& history, std::span<const std::uint32_t> txns);

  // The numbers in `txns` of those that have an end, by clock and end.
  const std::vector<std::uint32_t>& ended() const { return ended_; }
  // [clock] -> where those of it begin.
  const std::vector<std::uint32_t>& first() const { return first_; }
  // Where in ended() those of the clock stop that had ended when `txn` began;
  // not less than first()[clock].
  std::uint32_t ended_before(std::uint32_t txn, std::size_t clock) const;

 private:
  const History& history_;
  std::span<const std::uint32_t> txns_;
  std::vector<std::uint32_t> ended_;
  std::vector<std::uint32_t> first_ = {0};
};

// Whether nobody comes before one that had ended when it began. O(n) for each
// clock.
bool keeps_real_time(const History& history,
                     std::span<const std::uint32_t> order);

}  // namespace awdit
