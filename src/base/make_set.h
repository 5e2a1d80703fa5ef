// A vector as a set: ascending, each entry once.
#pragma once

#include <algorithm>
#include <vector>

namespace awdit {

template <typename T>
void make_set(std::vector<T>& items) {
  std::ranges::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace awdit
