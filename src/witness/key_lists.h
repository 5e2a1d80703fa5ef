// Who writes which key, both ways round, over transactions that count. Private
// to src/witness.
#pragma once

#include <cstdint>
#include <span>

#include "base/array.h"
#include "base/ids.h"
#include "history/history.h"
#include "witness/attribution.h"

namespace awdit {

class KeyLists {
 public:
  KeyLists(const History& history, const Attribution& attribution);

  // Ascending, each once.
  std::span<const std::uint32_t> keys_written_by(TxnId txn) const {
    return keys_.span().subspan(keys_first_[txn.v],
                                keys_first_[txn.v + 1] - keys_first_[txn.v]);
  }
  // Ascending, each once.
  std::span<const std::uint32_t> writers_of(KeyId key) const {
    return writers_.span().subspan(
        writers_first_[key.v],
        writers_first_[key.v + 1] - writers_first_[key.v]);
  }

 private:
  Array<std::uint32_t> keys_first_;     // [txn + 1]
  Array<std::uint32_t> keys_;           // keys, transaction by transaction
  Array<std::uint32_t> writers_first_;  // [key + 1]
  Array<std::uint32_t> writers_;        // transactions, key by key
};

}  // namespace awdit
