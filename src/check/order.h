// A guessed commit order, and how it is put right. Private to check/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "check/list_versions.h"
#include "check/promotion.h"
#include "check/rank_span.h"
#include "history/history.h"

namespace awdit {

// The live transactions, init first.
struct Order {
  Array<std::uint32_t> txns;   // [rank]
  Array<std::uint32_t> ranks;  // [txn] -> rank; kNoId if it is not live
};

// -- guesses (guess.cpp) ------------------------------------------------------

// The live transactions by their ids; ties in the order of the input. Empty
// where that is not known of all of them, or contradicts session order. O(n) if
// ids are dense, otherwise O(n log n), of transactions.
std::vector<std::uint32_t> order_by_ids(const History& history,
                                        const Live& live);

// The most promising of this, the order of times (history/stamps.h) and the
// order of the input, judged by its first
// thirty thousand operations: in how many reads of a key that was written
// before return something else than what was written last.
std::vector<std::uint32_t> promising_order(const History& history,
                                           const Live& live);

// -- orders -------------------------------------------------------------------

// `walk`: transactions; those that are not live are left out.
Order order_of(const History& history, const Live& live,
               std::span<const std::uint32_t> walk);

// The live transactions so that each comes after its predecessor in the
// session, after those it read from and after those whose versions are older,
// otherwise in the given order. Empty if there is a cycle. `previous`: [txn],
// `sources`: [op]. `within`: whatever the order has the wrong way round lies
// within one of these stretches, which ascend. O(transactions, and operations
// within).
std::vector<std::uint32_t> topological_order(
    const History& history, const Order& order,
    std::span<const std::uint32_t> previous,
    std::span<const std::uint32_t> sources, const ListVersions& versions,
    std::span<const RankSpan> within);

}  // namespace awdit
