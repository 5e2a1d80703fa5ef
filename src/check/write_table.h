// Which operation wrote a value to a key? Private to check/.
//
// A hash table of all writes, whatever became of their transactions, that
// threads fill together: a slot is one word of 64 bits, taken by compare and
// exchange. Where a write lies depends on who came first, what is found does
// not, because no two writes in it are alike: the first pair that is stops
// everything, and the history is judged the general way
// (check/source_finder.h).
// Cost: O(writes) expected; 12 bytes per write. A slot holds a part of
// the hash, so that hardly any write is looked at needlessly. Callers prefetch.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "base/array.h"
#include "base/flat_index.h"
#include "base/ids.h"
#include "history/history.h"

namespace awdit {

class WriteTable {
 public:
  // `wanted`: [key] -> 0 if its writes are left out; empty: all are wanted.
  WriteTable(const History& history, std::span<const std::uint8_t> wanted,
             unsigned threads);

  // Whether two writes of one value to one key were met: then the table is not
  // to be used.
  bool has_equal_writes() const { return equal_writes_.load(); }

  // Of the value that operation `op` reads or writes, and its key.
  std::uint64_t hash(std::uint32_t op) const {
    const std::uint64_t kind =
        kinds_.empty() ? 0 : std::uint64_t{kinds_[op]} << 56;
    return mix64((*values_)[op] * 0x9e3779b97f4a7c15u + (words_[op] >> 1) +
                 kind);
  }
  void prefetch(std::uint64_t hash) const {
    __builtin_prefetch(&slots_[home(hash)]);
  }
  // The write that find() will probably look at, when the slot is there; kNoId:
  // none.
  std::uint32_t candidate(std::uint64_t hash) const {
    const std::uint64_t slot = slots_[home(hash)];
    return slot == kEmpty ? kNoId : op_of(slot);
  }
  // The write of what operation `op` read, with the hash of `op`; or kNoId.
  std::uint32_t find(std::uint64_t hash, std::uint32_t op) const {
    for (std::size_t at = home(hash);; at = after(at)) {
      const std::uint64_t slot = slots_[at];
      if (slot == kEmpty) return kNoId;
      if (tag_of(slot) == tag_of(hash) && same(op_of(slot), op)) {
        return op_of(slot);
      }
    }
  }

 private:
  static constexpr std::uint64_t kEmpty = 0;

  // A slot: the lower half of the hash, and the operation + 1.
  static std::uint32_t tag_of(std::uint64_t word) {
    return static_cast<std::uint32_t>(word);
  }
  static std::uint32_t op_of(std::uint64_t slot) {
    return static_cast<std::uint32_t>(slot >> 32) - 1;
  }
  bool same(std::uint32_t a, std::uint32_t b) const {
    return words_[a] >> 1 == words_[b] >> 1 && (*values_)[a] == (*values_)[b] &&
           (kinds_.empty() || kinds_[a] == kinds_[b]);
  }
  // Any number of slots will do, so that there are no more than needed.
  std::size_t home(std::uint64_t hash) const {
    __extension__ using Product = unsigned __int128;
    return static_cast<std::size_t>(Product{hash} * slots_.size() >> 64);
  }
  std::size_t after(std::size_t at) const {
    return at + 1 == slots_.size() ? 0 : at + 1;
  }
  void insert(std::uint64_t hash, std::uint32_t op);
  bool wants(std::uint32_t op) const {
    return (words_[op] & 1) != 0 &&
           (wanted_.empty() || wanted_[words_[op] >> 1] != 0);
  }

  std::span<const std::uint8_t> wanted_;
  std::span<const std::uint32_t> words_;
  const WordColumn* values_;
  std::span<const std::uint8_t> kinds_;
  Array<std::uint64_t> slots_;
  std::atomic<bool> equal_writes_ = false;
};

// What one pass over all writes can tell.
struct WrittenValues {
  // Some write writes the initial value.
  bool initial = false;
  // No value is written twice, not even to different keys. False may also mean
  // that it would cost too much to know: values far apart.
  bool distinct = false;
};
WrittenValues survey_writes(const History& history, unsigned threads);

}  // namespace awdit
