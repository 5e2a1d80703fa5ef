// Which atom a piece of the file stands for, so that a text is turned into an
// atom once and not once per operation. Private to format/.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/flat_index.h"
#include "history/history.h"

namespace awdit {

class AtomCache {
 public:
  // The atom of `raw`, or nullptr. Pieces must stay where they are.
  const Atom* find(std::string_view raw) const {
    const Print print(raw);
    const std::uint32_t entry =
        index_.find(print.hash, [&](std::uint32_t item) {
          const Entry& known = entries_[item];
          return known.tail == print.tail && known.raw.size() == raw.size() &&
                 (raw.size() <= 8 || known.raw == raw);
        });
    return entry == FlatIndex::kAbsent ? nullptr : &entries_[entry].atom;
  }
  // REQUIRES: find(raw) is nullptr.
  void insert(std::string_view raw, Atom atom) {
    const Print print(raw);
    index_.find_or_insert(print.hash,
                          static_cast<std::uint32_t>(entries_.size()),
                          [](std::uint32_t) { return false; });
    entries_.push_back({raw, print.tail, atom});
  }

 private:
  struct Entry {
    std::string_view raw;
    std::uint64_t tail;
    Atom atom;
  };
  // Of short pieces, the tail is all there is: nothing else need be compared.
  struct Print {
    explicit Print(std::string_view raw) {
      const char* p = raw.data();
      std::size_t left = raw.size();
      std::uint64_t sum = left;
      for (; left > 8; left -= 8, p += 8) sum = mix64(sum ^ word_at(p, 8));
      tail = word_at(p, left);
      hash = mix64(sum ^ tail);
    }
    static std::uint64_t word_at(const char* p, std::size_t size) {
      std::uint64_t word = 0;
      if (size == 8) {
        std::memcpy(&word, p, 8);
      } else if (size >= 4) {
        std::uint32_t first = 0, last = 0;
        std::memcpy(&first, p, 4);
        std::memcpy(&last, p + size - 4, 4);
        word = std::uint64_t{last} << (8 * (size - 4)) | first;
      } else {
        for (std::size_t i = size; i-- > 0;) {
          word = word << 8 | static_cast<unsigned char>(p[i]);
        }
      }
      return word;
    }
    std::uint64_t tail;
    std::uint64_t hash;
  };

  FlatIndex index_;
  std::vector<Entry> entries_;
};

}  // namespace awdit
