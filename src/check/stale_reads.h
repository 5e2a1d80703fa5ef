// Which reads are stale in the guessed order? Private to check/.
//
// A read is stale if its source is not the latest writer of the key before its
// transaction in that order.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "check/order.h"
#include "check/split.h"
#include "history/history.h"

namespace awdit {

struct StaleRead {
  std::uint32_t op, txn;
};

struct StaleReads {
  static constexpr std::size_t kFew = std::size_t{1} << 16;

  // What one thread has found.
  struct Found {
    std::uint64_t count = 0;
    bool disordered = false;          // some read comes before its source
    std::vector<StaleRead> few = {};  // all of them, if they are at most kFew

    void add(StaleRead read, bool is_disordered);
    void add(const Found& others);
  };

  StaleReads() = default;
  explicit StaleReads(const History& history);

  Array<std::uint8_t> keys;  // [key] -> whether it has one
  Array<std::uint8_t> txns;  // [txn] -> likewise
  bool any = false;
  Found found;

  // From several threads.
  void mark(std::uint32_t txn, std::uint32_t key) {
    std::atomic_ref<std::uint8_t>(txns[txn]).store(1,
                                                   std::memory_order_relaxed);
    std::atomic_ref<std::uint8_t>(keys[key]).store(1,
                                                   std::memory_order_relaxed);
  }

  // Marks those again that still have a source, and no others. REQUIRES:
  // found.count <= kFew.
  void mark_again(const History& history,
                  std::span<const std::uint32_t> sources);
};

// `sources`: [op]. O(n).
StaleReads find_stale_reads(const History& history, const Split& split,
                            std::span<const std::uint32_t> sources,
                            const Order& order);

}  // namespace awdit
