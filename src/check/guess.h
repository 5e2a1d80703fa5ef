// Guesses at a commit order, besides the order of the input. Private to check/.
//
// A recording need not be in the order of time: some are written session after
// session, some line by line while transactions overlap. What they say besides
// may still tell: when transactions ended, or the ids that a recorder gave them
// one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "check/promotion.h"
#include "history/history.h"

namespace awdit {

// The live transactions by the time of their end, or by their ids; ties in the
// order of the input. Empty where that is not known of all of them, or
// contradicts session order. O(n) if ids are dense, otherwise O(n log n), of
// transactions.
std::vector<std::uint32_t> order_by_times(const History& history,
                                          const Live& live);
std::vector<std::uint32_t> order_by_ids(const History& history,
                                        const Live& live);

// The most promising of these and the order of the input, judged by its first
// hundred thousand operations: in how many reads of a key that was written
// before return something else than what was written last.
std::vector<std::uint32_t> promising_order(const History& history,
                                           const Live& live);

}  // namespace awdit
