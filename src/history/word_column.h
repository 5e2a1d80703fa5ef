// A column of 64-bit words that takes 4 bytes each as long as all are below
// 2^32, which keys and values nearly always are. Setting a larger one widens
// the column. Private to history/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "base/array.h"

namespace awdit {

class WordColumn {
 public:
  WordColumn() = default;
  explicit WordColumn(std::size_t size, bool wide = false) : size_(size) {
    if (wide) {
      wide_ = Array<std::uint64_t>(size);
    } else {
      narrow_ = Array<std::uint32_t>(size);
    }
  }

  explicit WordColumn(Array<std::uint32_t> narrow)
      : size_(narrow.size()), narrow_(std::move(narrow)) {}

  std::size_t size() const { return size_; }
  bool is_wide() const { return !wide_.empty(); }
  // The words of a column that is not wide, for the inner loops.
  std::span<const std::uint32_t> narrow() const { return narrow_; }

  std::uint64_t operator[](std::size_t i) const {
    return is_wide() ? wide_[i] : narrow_[i];
  }
  // Not for several threads unless the column is wide or the word is narrow.
  void set(std::size_t i, std::uint64_t word) {
    if (!is_wide()) {
      if (word >> 32 == 0) {
        narrow_[i] = static_cast<std::uint32_t>(word);
        return;
      }
      widen(i);
    }
    wide_[i] = word;
  }
  // A larger column with the first `used` words of this one.
  void enlarge(std::size_t size, std::size_t used) {
    if (is_wide()) {
      Array<std::uint64_t> larger(size);
      std::memcpy(larger.data(), wide_.data(), used * sizeof(std::uint64_t));
      wide_ = std::move(larger);
    } else {
      Array<std::uint32_t> larger(size);
      if (used != 0) {
        std::memcpy(larger.data(), narrow_.data(),
                    used * sizeof(std::uint32_t));
      }
      narrow_ = std::move(larger);
    }
    size_ = size;
  }
  void reset() { *this = WordColumn(); }

 private:
  friend class HistoryImage;
  // Words from `used` on have not been set.
  void widen(std::size_t used) {
    Array<std::uint64_t> wide(size_);
    std::copy(narrow_.begin(), narrow_.begin() + used, wide.begin());
    wide_ = std::move(wide);
    narrow_.reset();
  }

  std::size_t size_ = 0;
  Array<std::uint32_t> narrow_;
  Array<std::uint64_t> wide_;
};

}  // namespace awdit
