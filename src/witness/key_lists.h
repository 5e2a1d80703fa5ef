// Who writes which key, both ways round, over transactions that count. Private
// to src/witness.
#pragma once

#include <cstdint>
#include <span>

#include "base/number_lists.h"
#include "history/history.h"
#include "witness/attribution.h"

namespace awdit {

class KeyLists {
 public:
  KeyLists(const History& history, const Attribution& attribution);

  // Ascending, each once.
  std::span<const std::uint32_t> keys_written_by(TxnId txn) const {
    return keys_[txn.v];
  }
  // Ascending, each once.
  std::span<const std::uint32_t> writers_of(KeyId key) const {
    return writers_[key.v];
  }

 private:
  NumberLists keys_;     // [txn] -> keys
  NumberLists writers_;  // [key] -> transactions
};

}  // namespace awdit
