// What a list that was read says by itself, and whom it was read from. Private
// to src/witness.
//
// A list is P + [o1 ... om]: what others had appended, then what the reader had
// appended itself so far. P must be made of whole *blocks*: all that one
// transaction appends to the key, side by side and in its order. Then P is a
// version of the key, and the maker of its last block is whom it was read from.
// Every element is known by its append (value_runs.h); of the lists that are
// beginnings of the spine nothing is walked, because where its blocks end and
// whose they are is written down once.
//
// Cost on a key: that of value_runs.h, and O(n) for n operations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "history/history.h"
#include "witness/attribution.h"
#include "witness/value_runs.h"

namespace awdit {

// REQUIRES: history.has_lists(); `result` knows which transactions count.
class ListJudge {
 public:
  ListJudge(const History& history, Attribution& result)
      : history_(history), result_(result), runs_(history) {}

  // Finds what is wrong with the lists of one key, and the sources of the
  // others. If an element is appended twice, only result.malformed is set.
  void judge(std::span<const std::uint32_t> ops);

 private:
  // An append of a transaction that counts, in the order of the operations.
  // Those of one transaction are appends_[first, end): its block.
  struct Append {
    OpId op;
    std::uint32_t txn;
    std::uint32_t first;
    std::uint32_t end;
    std::uint32_t place = kNoId;  // the first one in the spine
  };
  // Of each entry of the key.
  struct Entry {
    std::uint32_t append = kNoId;  // of a write
    // Its transaction has appended appends_[own_end - own, own_end) before it.
    std::uint32_t own = 0;
    std::uint32_t own_end = 0;
    // Of a list that was sorted: the appends of its elements, in makers_.
    std::uint32_t makers = kNoId;
    // Of a list: the first place of an element that nobody appended, that only
    // aborted transactions did, that is there before, that the reader appends
    // only later.
    std::uint32_t thin_air = kNoId;
    std::uint32_t aborted = kNoId;
    std::uint32_t repeated = kNoId;
    std::uint32_t future = kNoId;
    OpId aborted_append;
  };

  void gather_appends(std::span<const std::uint32_t> ops);
  bool find_elements(std::span<const std::uint32_t> ops);
  void find_in_beginnings(std::span<const std::uint32_t> ops);
  void find_future(std::span<const std::uint32_t> ops);
  void walk_spine(std::span<const std::uint32_t> ops);
  bool judge_list(std::span<const std::uint32_t> ops, std::uint32_t entry);
  void find_incompatible();

  std::uint32_t block_end(std::span<const std::uint32_t> makers,
                          std::size_t at) const;
  bool ends_with_own(OpId read, const Entry& entry) const;
  std::uint32_t find_torn(std::span<const std::uint32_t> makers,
                          std::uint32_t start) const;
  bool counts(std::uint32_t op) const {
    return result_.counts[result_.op_txn[op]] != 0;
  }

  const History& history_;
  Attribution& result_;
  ValueRuns runs_;
  std::vector<Append> appends_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> makers_;  // appends, list by list; or kNoId
  // [length] -> how much of the spine's first `length` elements is whole blocks
  std::vector<std::uint32_t> whole_;
  std::vector<OpId> sound_;  // reads that have no finding yet
};

// Whether the append `write` of the element at `place` of a list shows that a
// block is not whole: `other`, an append of the same transaction to the same
// key, is not as far from it in the list as in the transaction. Of a list that
// was read after own appends only what comes before these counts. No id is
// trusted but that of the read. REQUIRES: the list ends with the own appends.
bool shows_torn_block(const History& history, const Attribution& attribution,
                      OpId read, std::uint32_t place, OpId write, OpId other);

}  // namespace awdit
