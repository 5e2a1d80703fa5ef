// Keys of any kind -> dense ids in the order of their labels: integers by
// value, then naturals, then strings by text. Private to history/.
//
// Integer keys in a narrow range (the usual case: 0 ... number of keys) are
// looked up directly, and so are texts, which have narrow numbers, if there is
// nothing else. Integers in a wider range have a bit each, and the id of a key
// is the number of bits before its own: kept for every 64 bits, counted from
// there. Others go through one open-addressing table. All are built once and
// then only read, so that threads share them without a lock.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "base/array.h"
#include "history/history.h"
#include "history/word_column.h"

namespace awdit {

// The order of labels.
bool label_less(Atom a, Atom b, const Texts& strings);

class KeyTable {
 public:
  struct Column {
    const WordColumn* bits;
    std::size_t size;
    std::span<const std::uint8_t> kinds;  // empty: all integers
  };
  KeyTable(std::span<const Column> columns, const Texts& strings,
           unsigned threads);

  std::size_t size() const { return bits_.size(); }

  // REQUIRES: the atom occurs in the columns.
  std::uint32_t id(Atom key) const {
    if (!direct_.empty()) return direct_[key.bits - base_];
    if (!ranked_.empty()) {
      const std::uint64_t place = key.bits - base_;
      const Ranked& word = ranked_[place / 64];
      const std::uint64_t before = (std::uint64_t{1} << (place % 64)) - 1;
      return word.rank +
             static_cast<std::uint32_t>(std::popcount(word.bits & before));
    }
    return find(key);
  }
  // The id of this key will be asked for soon.
  void expect(std::uint64_t bits) const {
    if (!ranked_.empty()) __builtin_prefetch(&ranked_[(bits - base_) / 64]);
    if (!direct_.empty()) __builtin_prefetch(&direct_[bits - base_]);
  }

  // Hands over [key] -> bits and [key] -> kind (empty: all integers).
  void take_labels(Array<std::uint64_t>& bits, Array<std::uint8_t>& kinds);

 private:
  void build_direct(std::span<const Column> columns, std::uint64_t range,
                    unsigned threads);
  void build_ranked(std::span<const Column> columns, std::uint64_t range,
                    unsigned threads);
  void order_by_text(const Texts& strings, unsigned threads);
  void build_hashed(std::span<const Column> columns, const Texts& strings,
                    unsigned threads);
  std::uint32_t find(Atom key) const;

  std::uint64_t base_ = 0;       // the least key
  Array<std::uint32_t> direct_;  // [bits - base] -> id
  struct Ranked {
    std::uint64_t bits;  // which of 64 neighbours are keys
    std::uint32_t rank;  // keys before them
  };
  Array<Ranked> ranked_;  // [(bits - base) / 64]
  struct Slot {
    std::uint64_t bits;
    std::uint32_t id;  // kNoId: empty
    std::uint8_t kind;
  };
  Array<Slot> slots_;
  std::uint64_t mask_ = 0;
  Array<std::uint64_t> bits_;  // [id]
  Array<std::uint8_t> kinds_;  // [id] or empty
};

}  // namespace awdit
