// Texts by number, equal texts once. Private to history/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/flat_index.h"
#include "history/texts.h"

namespace awdit {

class TextTable {
 public:
  std::uint32_t number(std::string_view text) {
    const auto fresh = static_cast<std::uint32_t>(size());
    const std::uint32_t found = index_.find_or_insert(
        mix64(std::hash<std::string_view>()(text)), fresh,
        [&](std::uint32_t item) { return (*this)[item] == text; });
    if (found == fresh) {
      bytes_ += text;
      first_.push_back(bytes_.size());
    }
    return found;
  }
  std::size_t size() const { return first_.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return {bytes_.data() + first_[i], first_[i + 1] - first_[i]};
  }

  Texts freeze() const {
    if (size() == 0) return {};
    Array<std::uint64_t> first(first_.size());
    Array<char> bytes(bytes_.size());
    std::copy(first_.begin(), first_.end(), first.begin());
    std::copy(bytes_.begin(), bytes_.end(), bytes.begin());
    return {std::move(first), std::move(bytes)};
  }

 private:
  std::string bytes_;
  std::vector<std::uint64_t> first_{0};  // [text + 1] -> first byte
  FlatIndex index_;
};

}  // namespace awdit
