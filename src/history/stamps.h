// Transactions in the order of something that is stamped on them, such as the
// time of their end: where a history was not written in the order of time, that
// is a better guess at the commit order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "history/history.h"

namespace awdit {

// The order, or nothing if it contradicts that of a session.
std::vector<std::uint32_t> if_sessions_agree(const History& history,
                                             std::vector<std::uint32_t> order);

struct Stamp {
  std::int64_t major, minor;
  std::uint32_t txn;
};

// Sorts by the stamps, ties as they are, if sessions agree.
std::vector<std::uint32_t> order_by_stamps(const History& history,
                                           std::vector<Stamp>& stamps);

// The transactions that are kept ([txn] -> not 0) by the time of their end,
// ties in the order of the input. Empty where that is not known of all of them,
// or contradicts session order. O(n log n) of transactions.
std::vector<std::uint32_t> order_by_times(const History& history,
                                          std::span<const std::uint8_t> kept);

}  // namespace awdit
