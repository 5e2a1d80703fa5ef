#include "witness/key_lists.h"

#include <algorithm>

namespace awdit {
namespace {

// Calls body(key, txn) for every key and each transaction that counts and
// writes it: keys ascending, transactions ascending.
template <typename Body>
void for_each_writer(const History& history, const Attribution& attribution,
                     Body body) {
  for (std::uint32_t key = 0; key < history.num_keys(); ++key) {
    std::uint32_t last = kNoId;
    for (std::uint32_t i = attribution.key_first[key];
         i < attribution.key_first[key + 1]; ++i) {
      const std::uint32_t op = attribution.by_key[i];
      const std::uint32_t txn = attribution.op_txn[op];
      if (!history.is_write(OpId(op)) || txn == last) continue;
      last = txn;
      if (attribution.counts[txn] != 0) body(key, txn);
    }
  }
}

}  // namespace

KeyLists::KeyLists(const History& history, const Attribution& attribution)
    : keys_first_(history.num_txns() + std::size_t{1}, 0),
      writers_first_(history.num_keys() + std::size_t{1}, 0) {
  for_each_writer(history, attribution,
                  [&](std::uint32_t key, std::uint32_t txn) {
                    ++writers_first_[key + 1];
                    ++keys_first_[txn + 1];
                  });
  for (std::size_t i = 1; i < writers_first_.size(); ++i) {
    writers_first_[i] += writers_first_[i - 1];
  }
  for (std::size_t i = 1; i < keys_first_.size(); ++i) {
    keys_first_[i] += keys_first_[i - 1];
  }
  keys_ = Array<std::uint32_t>(keys_first_[history.num_txns()]);
  writers_ = Array<std::uint32_t>(keys_.size());
  Array<std::uint32_t> next(history.num_txns());
  std::copy_n(keys_first_.begin(), next.size(), next.begin());
  std::size_t written = 0;
  for_each_writer(history, attribution,
                  [&](std::uint32_t key, std::uint32_t txn) {
                    writers_[written++] = txn;
                    keys_[next[txn]++] = key;
                  });
}

}  // namespace awdit
