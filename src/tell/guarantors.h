// Who vouches for a transaction of unknown outcome. Private to src/tell.
//
// It counts as committed because somebody who counts read one of its writes.
// witness/promotion.cpp says which ones count; here the read that says so is
// remembered, so that a small part of the history can bring its proof along.
#pragma once

#include <cstdint>
#include <vector>

#include "base/array.h"
#include "history/history.h"

namespace awdit {

class Guarantors {
 public:
  // Cost: O(n) expected where outcomes are unknown, of lists the sum of their
  // lengths; otherwise O(transactions). REQUIRES: the history is not malformed.
  explicit Guarantors(const History& history);

  // [txn] -> 1 if it is committed or counts as committed, otherwise 0.
  const Array<std::uint8_t>& counts() const { return counts_; }

  // Adds the reads, and the writes that they returned, by which `txn` counts:
  // of a chain of transactions that ends at a committed one. Nothing for one
  // that is committed. REQUIRES: it counts.
  void add_proof(TxnId txn, std::vector<OpId>& ops) const;

 private:
  struct Proof {
    std::uint32_t txn;     // of unknown outcome
    std::uint32_t reader;  // vouches for it
    OpId read;
    OpId write;
  };
  void find_proofs();

  const History& history_;
  Array<std::uint8_t> counts_;
  std::vector<Proof> proofs_;  // by txn
};

}  // namespace awdit
