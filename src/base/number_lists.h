// Lists of numbers, all in one array: what belongs to list i lies side by side.
// A counting sort makes them. O(lists + items).
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace awdit {

struct NumberLists {
  std::vector<std::uint32_t> first = {0};  // [list + 1] -> where it begins
  std::vector<std::uint32_t> items;

  NumberLists() = default;
  // for_each(add) calls add(list, item) for every item, twice in the same
  // order, which is that of the items in their list.
  template <typename ForEach>
  NumberLists(std::size_t lists, ForEach&& for_each) : first(lists + 1, 0) {
    for_each([&](std::uint32_t list, std::uint32_t) { ++first[list + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    items.resize(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for_each([&](std::uint32_t list, std::uint32_t item) {
      items[next[list]++] = item;
    });
  }

  std::span<const std::uint32_t> operator[](std::size_t list) const {
    return {items.data() + first[list], items.data() + first[list + 1]};
  }
};

}  // namespace awdit
