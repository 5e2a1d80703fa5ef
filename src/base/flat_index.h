// A hash index over things that live elsewhere: it maps a hash to the number of
// an item and asks the caller whether that item is the one. Open addressing in
// one block of memory; no deletion. For sets met once per session, transaction
// or key; where it is met once per operation, its place is asked for early.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/array.h"

namespace awdit {

// A strong 64-bit mixer (the finaliser of SplitMix64).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  x ^= x >> 31;
  return x;
}

class FlatIndex {
 public:
  static constexpr std::uint32_t kAbsent = 0xFFFF'FFFFu;

  // The item with this hash for which same(item) is true, or `fresh`, which is
  // then entered. Returns the item's number. Only the lower half of the hash
  // counts.
  template <typename Same>
  std::uint32_t find_or_insert(std::uint64_t hash, std::uint32_t fresh,
                               Same&& same) {
    if (used_ == most()) grow();
    const auto tag = static_cast<std::uint32_t>(hash);
    for (std::size_t i = tag & mask_;; i = (i + 1) & mask_) {
      Slot& slot = slots_[i];
      if (slot.item == kAbsent) {
        slot = {tag, fresh};
        ++used_;
        return fresh;
      }
      if (slot.tag == tag && same(slot.item)) return slot.item;
    }
  }

  template <typename Same>
  std::uint32_t find(std::uint64_t hash, Same&& same) const {
    if (slots_.empty()) return kAbsent;
    const auto tag = static_cast<std::uint32_t>(hash);
    for (std::size_t i = tag & mask_;; i = (i + 1) & mask_) {
      const Slot& slot = slots_[i];
      if (slot.item == kAbsent) return kAbsent;
      if (slot.tag == tag && same(slot.item)) return slot.item;
    }
  }

  // Room for so many items.
  void reserve(std::size_t items) {
    if (items > most()) resize(std::bit_ceil(items + items / 3 + 1));
  }
  // An item with this hash will be asked for soon.
  void expect(std::uint64_t hash) const {
    if (!slots_.empty()) {
      __builtin_prefetch(&slots_[static_cast<std::uint32_t>(hash) & mask_]);
    }
  }
  // The item that is probably the one, so that it can be waited for as well.
  std::uint32_t likely(std::uint64_t hash) const {
    if (slots_.empty()) return kAbsent;
    return slots_[static_cast<std::uint32_t>(hash) & mask_].item;
  }

 private:
  struct Slot {
    std::uint32_t tag;  // of the hash: its home, and more
    std::uint32_t item;
  };

  // Items that there may be: three quarters of the slots, so that a search ends
  // after two or three, which are neighbours.
  std::size_t most() const { return slots_.size() / 4 * 3; }
  void grow() { resize(slots_.empty() ? 16 : slots_.size() * 2); }
  void resize(std::size_t size) {
    Array<Slot> old(size, Slot{0, kAbsent});
    std::swap(old, slots_);
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.item == kAbsent) continue;
      std::size_t i = slot.tag & mask_;
      while (slots_[i].item != kAbsent) i = (i + 1) & mask_;
      slots_[i] = slot;
    }
  }

  Array<Slot> slots_;
  std::size_t mask_ = 0;
  std::size_t used_ = 0;
};

}  // namespace awdit
