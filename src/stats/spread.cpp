#include "stats/spread.h"

#include <algorithm>
#include <bit>

namespace awdit {

std::uint64_t bucket_first(std::size_t bucket) {
  return bucket == 0 ? 0 : std::uint64_t{1} << (bucket - 1);
}

std::uint64_t bucket_last(std::size_t bucket) {
  return bucket == 0 ? 0 : (std::uint64_t{1} << (bucket - 1)) * 2 - 1;
}

Spread spread_of(std::vector<std::uint32_t>& values) {
  Spread spread;
  if (values.empty()) return spread;
  spread.count = values.size();
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  spread.median = *middle;
  spread.least = *std::min_element(values.begin(), middle + 1);
  spread.most = *std::max_element(middle, values.end());
  spread.buckets.assign(
      static_cast<std::size_t>(std::bit_width(spread.most)) + 1, 0);
  for (const std::uint32_t value : values) {
    ++spread.buckets[static_cast<std::size_t>(std::bit_width(value))];
    spread.total += value;
  }
  return spread;
}

}  // namespace awdit
