#include "random.h"

#include <cmath>

namespace awdit::bench {

Zipf::Zipf(std::uint32_t size, double theta) : slots_(size) {
  std::vector<double> weight(size);
  double total = 0;
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    weight[rank] = std::pow(rank + 1.0, -theta);
    total += weight[rank];
  }
  // Each slot holds 1/size of the probability: a poor rank fills its own slot
  // in part, and a rich one gives it the rest.
  std::vector<std::uint32_t> poor, rich;
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    weight[rank] *= size / total;
    (weight[rank] < 1 ? poor : rich).push_back(rank);
  }
  while (!poor.empty() && !rich.empty()) {
    const std::uint32_t low = poor.back(), high = rich.back();
    poor.pop_back();
    slots_[low] = {static_cast<std::uint32_t>(weight[low] * 0x1.0p32), high};
    weight[high] -= 1 - weight[low];
    if (weight[high] < 1) {
      rich.pop_back();
      poor.push_back(high);
    }
  }
  // What is left has weight 1 up to rounding.
  for (std::uint32_t rank : poor) slots_[rank] = {0, rank};
  for (std::uint32_t rank : rich) slots_[rank] = {0, rank};
}

}  // namespace awdit::bench
