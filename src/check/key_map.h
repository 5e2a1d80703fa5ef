// A map from keys to small values for one reader at a time. Private to check/.
//
// A large reader looks up every key that its sources write. An array over all
// keys would answer at once but from main memory; this table is as large as the
// reader and stays in the cache. Open addressing, emptied in O(capacity).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/flat_index.h"
#include "base/ids.h"

namespace awdit {

template <typename Value>
class KeyMap {
 public:
  // Empties the map and makes room for this many keys.
  void reset(std::size_t keys) {
    const std::size_t capacity = std::bit_ceil(keys * 2 + 1);
    mask_ = capacity - 1;
    if (slots_.size() < capacity) slots_.resize(capacity);
    std::fill_n(slots_.begin(), capacity, Slot{kNoId, Value{}});
  }
  Value* find(std::uint32_t key) {
    for (std::size_t at = mix64(key) & mask_;; at = (at + 1) & mask_) {
      if (slots_[at].key == key) return &slots_[at].value;
      if (slots_[at].key == kNoId) return nullptr;
    }
  }
  // REQUIRES: the key is absent.
  void insert(std::uint32_t key, Value value) {
    std::size_t at = mix64(key) & mask_;
    while (slots_[at].key != kNoId) at = (at + 1) & mask_;
    slots_[at] = {key, value};
  }

 private:
  struct Slot {
    std::uint32_t key = kNoId;
    Value value;
  };
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
};

}  // namespace awdit
