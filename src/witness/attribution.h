// What the verifier knows about a history, found by itself: which transactions
// count as committed, where every read of theirs got its value from, and which
// reads no level allows. Private to src/witness.
//
// The idea is sorting: the operations are laid out key by key, and within a key
// the operations of equal value are brought together, the writes beside the
// reads that returned them. The same layout lists a key's operations session by
// session, transaction by transaction, in program order.
//
// A list is a version of its key, made of what several transactions appended,
// and perhaps the reader's own appends behind it: see witness/list_reads.h.
//
// Memory: 13 bytes per operation, plus 16 per operation on the busiest key
// while it is made. Cost: O(n log n).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/array.h"
#include "base/ids.h"
#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// A read that is wrong, with the operations that show it; as in Violation. Of
// an intermediate read of a list several things show it: this is one of them.
struct ReadFinding {
  Kind kind;
  OpId read;
  OpId write;
  OpId other;
  std::uint32_t element = kNoId;
};

struct Attribution {
  // Values of `source` that are not writes.
  static constexpr std::uint32_t kNone = kNoId;
  static constexpr std::uint32_t kInit = kNoId - 1;

  // Why reads cannot be attributed (a value written twice), or "". If it is not
  // empty, only `op_txn` and the layout by key are filled.
  std::string malformed;

  // [key] -> first entry of by_key, one entry more than keys
  Array<std::uint32_t> key_first;
  // operations key by key; within a key by transaction, then program order
  Array<std::uint32_t> by_key;
  // [op] -> its transaction
  Array<std::uint32_t> op_txn;
  // [txn] -> whether it is committed or counts as committed
  Array<std::uint8_t> counts;
  // [op] -> the write that a read returned, kInit, or kNone for everything that
  // is no read of another transaction's write: writes, reads of own writes,
  // reads with a finding, reads of transactions that do not count. Of a list:
  // the last append of whoever made the version that was read; if there are own
  // appends before the read, the version before these.
  Array<std::uint32_t> source;
  // Breaches of Read Consistency, by read.
  std::vector<ReadFinding> findings;
  // non_repeatable_read, by read.
  std::vector<ReadFinding> unrepeatable;

  // The transaction that a read returned the write of. REQUIRES: source[op] is
  // not kNone.
  TxnId writer(const History& history, std::uint32_t op) const {
    const std::uint32_t write = source[op];
    return write == kInit ? history.init_txn() : TxnId(op_txn[write]);
  }

  // The operations on a key, as by_key has them; those of one transaction.
  std::span<const std::uint32_t> ops_on(KeyId key) const {
    return by_key.span().subspan(key_first[key.v],
                                 key_first[key.v + 1] - key_first[key.v]);
  }
  std::span<const std::uint32_t> ops_on(KeyId key, TxnId txn) const;
};

Attribution attribute_reads(const History& history);

// Who counts: [txn] -> 1 if it is committed, or if its outcome is unknown and a
// transaction that counts read one of its writes; otherwise 0 (promotion.cpp).
// REQUIRES: `layout` has by_key, key_first and op_txn.
Array<std::uint8_t> transactions_that_count(const History& history,
                                            const Attribution& layout);

// The same for the operations on some keys only, where it is known who counts:
// of other keys nothing is found, and `op_txn` and `source` of operations on
// them must not be looked at. Cost: one pass over the history or two, and
// sorting the operations on these keys.
Attribution attribute_reads(const History& history, std::span<const KeyId> keys,
                            const Array<std::uint8_t>& counts);

// The finding about `read` in a list sorted by read, or nullptr.
const ReadFinding* find_finding(const std::vector<ReadFinding>& findings,
                                OpId read);

}  // namespace awdit
