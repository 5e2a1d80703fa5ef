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
  explicit WordColumn(Array<std::uint64_t> wide)
      : size_(wide.size()), wide_(std::move(wide)) {}

  // A column that lies in another one, which outlives it.
  static WordColumn view(const WordColumn& of) {
    WordColumn column;
    column.size_ = of.size_;
    column.narrow_ = Array<std::uint32_t>::view(of.narrow_);
    column.wide_ = Array<std::uint64_t>::view(of.wide_);
    return column;
  }

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
  // The same words with 8 bytes each; a view if they have them.
  Array<std::uint64_t> widened() const {
    if (is_wide()) return Array<std::uint64_t>::view(wide_);
    Array<std::uint64_t> wide(size_);
    std::copy_n(narrow_.begin(), size_, wide.begin());
    return wide;
  }

  // Copies `count` words of another column, from `from` on, to `to`. Not for
  // several threads unless this column is wide or the other is not.
  void copy(std::size_t to, const WordColumn& other, std::size_t from,
            std::size_t count) {
    if (is_wide() == other.is_wide()) {
      if (is_wide()) {
        std::copy_n(other.wide_.begin() + from, count, wide_.begin() + to);
      } else {
        std::copy_n(other.narrow_.begin() + from, count, narrow_.begin() + to);
      }
      return;
    }
    for (std::size_t i = 0; i < count; ++i) set(to + i, other[from + i]);
  }
  // Whether `count` words from `a` on and from `b` on are the same.
  bool same(std::size_t a, std::size_t b, std::size_t count) const {
    if (is_wide()) {
      return std::equal(wide_.begin() + a, wide_.begin() + a + count,
                        wide_.begin() + b);
    }
    return std::equal(narrow_.begin() + a, narrow_.begin() + a + count,
                      narrow_.begin() + b);
  }

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
