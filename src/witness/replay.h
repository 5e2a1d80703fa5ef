// A claimed commit order, replayed as if the transactions had run one after
// another. Private to src/witness.
//
// A read that returns the newest version of its key in the replay satisfies
// every axiom: whoever else wrote the key and comes before the reader also
// comes before that version. What remains for an axiom are the *stale* reads,
// usually few.
//
// Of lists the replay makes the versions: each is the one before it and all
// that its maker appends. A list that was read must be one of those made so
// far; after own appends, the one that the reader is making, as far as it is.
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
  // count which contains session order and reads-from, and makes the versions
  // that lists show; or "".
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

// REQUIRES: no read has a finding.
Replay replay(const History& history, const Attribution& attribution,
              std::span<const TxnId> order);

// The stale reads of one transaction: Replay::stale[first, end).
struct StaleReader {
  TxnId reader;
  std::size_t first;
  std::size_t end;
};
std::vector<StaleReader> stale_by_reader(const Attribution& attribution,
                                         const Replay& replay);

// real_time.cpp: [place - 1] -> the last place of a transaction that had ended
// before the one at that place began, or 0. REQUIRES: the replay has no
// objection.
Array<std::uint32_t> last_ended_before(const History& history,
                                       const Replay& replay);

}  // namespace awdit
