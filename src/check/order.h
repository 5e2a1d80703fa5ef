// A guessed commit order, and how it is put right. Private to check/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "check/list_versions.h"
#include "check/promotion.h"
#include "history/history.h"

namespace awdit {

// The live transactions, init first.
struct Order {
  Array<std::uint32_t> txns;   // [rank]
  Array<std::uint32_t> ranks;  // [txn] -> rank; kNoId if it is not live
};

// `walk`: transactions; those that are not live are left out.
Order order_of(const History& history, const Live& live,
               std::span<const std::uint32_t> walk);

// The live transactions so that each comes after its predecessor in the
// session, after those it read from and after those whose versions are older,
// otherwise in the given order. Empty if there is a cycle. `previous`: [txn],
// `sources`: [op]. O(n).
std::vector<std::uint32_t> topological_order(
    const History& history, const Order& order,
    std::span<const std::uint32_t> previous,
    std::span<const std::uint32_t> sources, const ListVersions& versions);

}  // namespace awdit
