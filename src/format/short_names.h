// Which atom a short name stands for: names of at most eight bytes, none of
// them zero, as one word. Private to format/.
//
// Why not AtomCache: where each operation names its key, finding the key is the
// work. Here that is one place in memory, not three (index, entry, text).
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/flat_index.h"
#include "history/builder.h"

namespace awdit {

class ShortNames {
 public:
  // REQUIRES: `word` holds the bytes of `name`, the first one lowest, and is
  // not 0; the shard is always the same.
  Atom atom(std::uint64_t word, std::string_view name, Builder::Shard& shard) {
    for (std::size_t i = mix64(word) & mask_;; i = (i + 1) & mask_) {
      if (slots_[i].word == word) {
        return {slots_[i].number, Atom::Kind::string};
      }
      if (slots_[i].word != 0) continue;
      const Atom fresh = shard.string(name);
      slots_[i] = {word, fresh.bits};
      if (++used_ * 2 > slots_.size()) grow();
      return fresh;
    }
  }

  // The word will be asked for soon.
  void prefetch(std::uint64_t word) const {
    __builtin_prefetch(&slots_[mix64(word) & mask_]);
  }

 private:
  struct Slot {
    std::uint64_t word = 0;  // 0: free
    std::uint64_t number = 0;
  };

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.word == 0) continue;
      std::size_t i = mix64(slot.word) & mask_;
      while (slots_[i].word != 0) i = (i + 1) & mask_;
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  std::size_t mask_ = slots_.size() - 1;
  std::size_t used_ = 0;
};

}  // namespace awdit
