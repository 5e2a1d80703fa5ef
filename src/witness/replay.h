// A claimed commit order, replayed as if the transactions had run one after
// another. Private to src/witness.
//
// A read that returns the newest version of its key in the replay satisfies
// every axiom: whoever else wrote the key and comes before the reader also
// comes before that version. What remains for an axiom are the *stale* reads,
// usually few.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/array.h"
#include "base/ids.h"
#include "history/history.h"
#include "witness/attribution.h"

namespace awdit {

struct Replay {
  // One sentence, why the order is no total order of the transactions that
  // count which contains session order and reads-from; or "".
  std::string objection;
  // [txn] -> place in the order from 1; 0 for init and for transactions that do
  // not count
  Array<std::uint32_t> place;
  // [place - 1] -> txn
  std::span<const TxnId> order;
  // Reads that return a version older than the newest one before the reader;
  // the reads of a transaction stand together, in program order.
  std::vector<OpId> stale;
};

Replay replay(const History& history, const Attribution& attribution,
              std::span<const TxnId> order);

}  // namespace awdit
