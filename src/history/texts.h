// The texts of a history, one behind the other in one piece of memory, so that
// a file can hold them as they are. Private to history/ but for reading.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "base/array.h"

namespace awdit {

class Texts {
 public:
  Texts() = default;
  // REQUIRES: first ascends, its last entry is at most the size of bytes.
  Texts(Array<std::uint64_t> first, Array<char> bytes)
      : first_(std::move(first)), bytes_(std::move(bytes)) {}

  // Texts that lie in others, which outlive them.
  static Texts view(const Texts& of) {
    return {Array<std::uint64_t>::view(of.first_),
            Array<char>::view(of.bytes_)};
  }

  std::size_t size() const { return first_.empty() ? 0 : first_.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return {bytes_.data() + first_[i], first_[i + 1] - first_[i]};
  }

 private:
  friend class HistoryImage;
  Array<std::uint64_t> first_;  // [text + 1] -> its first byte; empty: no texts
  Array<char> bytes_;
};

}  // namespace awdit
