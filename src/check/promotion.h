// Which transactions take part. Promotion: those of unknown outcome count as
// committed if somebody who counts read from them. Private to check/.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/array.h"
#include "history/history.h"

namespace awdit {

// The committed ones, and those of unknown outcome that somebody read from.
struct Live {
  Array<std::uint8_t> is;       // [txn]
  std::vector<TxnId> promoted;  // ascending
  std::uint32_t dropped = 0;    // of unknown outcome, and not promoted

  bool operator[](std::uint32_t txn) const { return is[txn] != 0; }
};

// Nobody promoted.
Live committed_only(const History& history);

// [txn] -> the live transaction before it in its session, or kNoId.
Array<std::uint32_t> previous_live(const History& history, const Live& live);

// The same of the sessions as they were recorded, where their order does not
// count, but for those that `ranks` ([txn]) has the other way round.
Array<std::uint32_t> previous_recorded(const History& history, const Live& live,
                                       std::span<const std::uint32_t> ranks);

// The committed ones and, to a fixed point, those of unknown outcome that one
// of these read from. `reads`: (reader, writer), the reader not aborted, the
// writer of unknown outcome; in any order. O(n log n) of these reads.
Live promote(const History& history,
             std::vector<std::pair<std::uint32_t, std::uint32_t>> reads);

// Two writes of one value to one key.
struct EqualWrites {
  std::uint32_t first;
  std::uint32_t second;
};

// Two live ones among those suspected of it, the second as early in the input
// as can be.
std::optional<EqualWrites> find_live(const History& history, const Live& live,
                                     const std::vector<EqualWrites>& suspects);

}  // namespace awdit
