// Who wrote a key last in a session, before some transaction of it? Private to
// check/.
//
// Transactions are numbered session by session, in session order. So with the
// writers of a key in the order of their numbers the answer is the one before,
// if that is of the session. For a rule that takes t3 to have seen a session up
// to a transaction, that one counts and no other: those before it precede it in
// every commit order.
// Cost: one pass over all operations, and then what the writes of the keys in
// question take: 12 bytes each while it is made, 4 later; O(log n) a question.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/array.h"
#include "check/commit_graph.h"
#include "check/index.h"

namespace awdit {

class LastWriters {
 public:
  // Of the keys that the inferences, in their present pass, can be about.
  LastWriters(const Index& index, const Inferences& inferences);

  // The last live transaction that precedes `txn` in its session and writes the
  // key, or kNoId. Of other keys: kNoId.
  std::uint32_t before(std::uint32_t key, std::uint32_t txn) const {
    const std::uint32_t* const begin = writers_.data() + first_[key];
    const std::uint32_t* const after = std::lower_bound(
        begin, writers_.data() + first_[key + std::size_t{1}], txn);
    if (after == begin || after[-1] < session_first_[sessions_[txn]]) {
      return kNoId;
    }
    return after[-1];
  }

 private:
  std::span<const std::uint32_t> sessions_;       // [txn]
  std::span<const std::uint32_t> session_first_;  // [session] -> txn
  Array<std::uint32_t> first_;                    // [key + 1]
  std::vector<std::uint32_t> writers_;  // key by key, ascending; may repeat
};

// For each session that the reader read from, the last of those transactions:
// what a reader sees of a session through them is what lies before that one.
void gather_newest_sources(const Index& index, std::uint32_t reader,
                           std::vector<std::uint32_t>& newest);

}  // namespace awdit
