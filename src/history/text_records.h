// Records of 64-bit words one after the other, each with a place of 32 bits.
// Private to history/.
//
// They lie in chunks of a megabyte, so that a table which grows copies nothing
// and leaves nothing behind: memory that is touched for the first time is dear.
// Only the first chunk grows like a vector, because most tables are small. A
// record is never cut: one that does not fit begins the next chunk, which is as
// large as it needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "base/array.h"

namespace awdit {

class TextRecords {
 public:
  // Where the next record of so many words will be.
  std::uint32_t next(std::size_t words) const {
    const bool fits = !chunks_.empty() && used_ + words <= kChunk;
    return fits ? place_of(chunks_.size() - 1, used_)
                : place_of(chunks_.size(), 0);
  }
  // Room for it, not initialised. Throws std::bad_alloc.
  std::uint64_t* add(std::size_t words) {
    if (chunks_.empty() || used_ + words > kChunk) {
      // Places have 32 bits, and the last one is nobody's.
      if (chunks_.size() + 1 == kMostChunks) throw std::bad_alloc();
      const std::size_t least = chunks_.empty() ? kSmallest : kChunk;
      chunks_.emplace_back(words > least ? words : least);
      used_ = 0;
    } else if (used_ + words > chunks_.back().size()) {
      enlarge(used_ + words);
    }
    std::uint64_t* const record = chunks_.back().data() + used_;
    used_ += words;
    return record;
  }

  bool has(std::uint32_t place) const {
    return place >> kChunkBits < chunks_.size();
  }
  // REQUIRES: has(place).
  const std::uint64_t* at(std::uint32_t place) const {
    return chunks_[place >> kChunkBits].data() + (place & (kChunk - 1));
  }

 private:
  static constexpr unsigned kChunkBits = 17;
  static constexpr std::size_t kChunk = std::size_t{1} << kChunkBits;  // words
  static constexpr std::size_t kMostChunks = std::size_t{1}
                                             << (32 - kChunkBits);
  static constexpr std::size_t kSmallest = 32;

  static std::uint32_t place_of(std::size_t chunk, std::size_t word) {
    return static_cast<std::uint32_t>(chunk << kChunkBits | word);
  }
  // Of the first chunk, which may be smaller than others.
  void enlarge(std::size_t words) {
    std::size_t size = chunks_.back().size() * 2;
    while (size < words) size *= 2;
    Array<std::uint64_t> larger(size < kChunk ? size : kChunk);
    std::memcpy(larger.data(), chunks_.back().data(),
                used_ * sizeof(*larger.data()));
    chunks_.back() = std::move(larger);
  }

  std::vector<Array<std::uint64_t>> chunks_;
  std::size_t used_ = 0;  // words of the last one
};

}  // namespace awdit
