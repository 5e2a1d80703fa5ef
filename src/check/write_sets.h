// Does a transaction write a key? Private to check/.
//
// "Loop over the smaller set" in the paper's algorithms needs a constant-time
// answer for large transactions. Those with many operations get a hash set in a
// common pool; the rest are short enough to be scanned.
// Cost: O(n) to build, at most 16 bytes per write of a large transaction.
#pragma once

#include <cstdint>

#include "base/array.h"
#include "base/flat_index.h"
#include "history/history.h"

namespace awdit {

class WriteSets {
 public:
  // Transactions with at most this many operations are scanned.
  static constexpr std::uint32_t kSmall = 32;

  WriteSets() = default;
  explicit WriteSets(const History& history);

  bool contains(const History& history, std::uint32_t txn,
                std::uint32_t key) const {
    const auto txn_ops = history.txn_ops();
    if (txn_ops[txn].size() > kSmall) return contains_large(txn, key);
    const auto words = history.op_words();
    for (std::uint32_t op = txn_ops[txn].begin; op < txn_ops[txn].end; ++op) {
      if (words[op] == key * 2 + 1) return true;
    }
    return false;
  }

 private:
  bool contains_large(std::uint32_t txn, std::uint32_t key) const;

  struct Set {
    std::uint64_t first;  // in slots_
    std::uint64_t mask;
  };
  Array<std::uint32_t> set_of_;  // [txn] -> set, empty if none is large
  Array<Set> sets_;
  Array<std::uint32_t> slots_;  // key or kNoId
};

}  // namespace awdit
