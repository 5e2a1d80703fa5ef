// Chains of transactions for histories whose session order does not count.
// Private to check/.
//
// Whatever decides a level by dependencies has clocks over chains, as wide as
// there are chains; without session order that would be one for each
// transaction. But most databases keep the order of sessions though nobody asks
// them to. So it is *borrowed*: an order of versions that respects these chains
// is one without them. That there is none proves nothing; then those
// transactions are taken out of their chains that a refutation rests on.
//
// A session that is served by replicas, some behind the others, goes back and
// forth in time. Its transactions are therefore dealt to a few chains, so that
// in each the guessed order could do: whoever read something that was
// overwritten in that order before the last of a chain took effect belongs to
// another one.
// Cost: O(operations on keys with stale reads).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/index.h"

namespace awdit {

struct BorrowedChains {
  std::vector<std::uint32_t> of;  // [i] -> the chain of txns[i]
  std::uint32_t count = 0;

  // Takes transactions of a refutation (their numbers) out of the chains that
  // they share. Returns false if they share none.
  bool break_up(std::span<const std::uint32_t> core);
};

// `txns` ascend in rank, and so do chains.
BorrowedChains borrow_chains(Index& index, std::span<const std::uint32_t> txns);

}  // namespace awdit
