#include "witness/key_lists.h"

namespace awdit {
namespace {

// Calls body(key, txn) for every key and each transaction that counts and
// writes it: keys ascending, transactions ascending.
template <typename Body>
void for_each_writer(const History& history, const Attribution& attribution,
                     Body body) {
  for (std::uint32_t key = 0; key < history.num_keys(); ++key) {
    std::uint32_t last = kNoId;
    for (const std::uint32_t op : attribution.ops_on(KeyId(key))) {
      const std::uint32_t txn = attribution.op_txn[op];
      if (!history.is_write(OpId(op)) || txn == last) continue;
      last = txn;
      if (attribution.counts[txn] != 0) body(key, txn);
    }
  }
}

}  // namespace

KeyLists::KeyLists(const History& history, const Attribution& attribution)
    : keys_(history.num_txns(),
            [&](auto&& add) {
              for_each_writer(
                  history, attribution,
                  [&](std::uint32_t key, std::uint32_t txn) { add(txn, key); });
            }),
      writers_(history.num_keys(), [&](auto&& add) {
        for_each_writer(history, attribution, add);
      }) {}

}  // namespace awdit
