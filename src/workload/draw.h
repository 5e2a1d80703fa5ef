// Draws that several workloads make. Private to workload/.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"

namespace awdit {

// `count` different numbers below `bound`, in random order; cost is their
// count, whatever the bound. REQUIRES: count <= bound.
std::vector<std::uint32_t> distinct(Random& random, std::uint32_t count,
                                    std::uint32_t bound);

// All orders are equally likely (Fisher and Yates).
template <typename T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t left = items.size(); left > 1; --left) {
    const std::uint32_t other = random.below(static_cast<std::uint32_t>(left));
    std::swap(items[left - 1], items[other]);
  }
}

// Draws an index with a probability proportional to its weight.
class Weights {
 public:
  // If all are 0, the first is always drawn. REQUIRES: not empty.
  Weights(std::initializer_list<std::uint64_t> weights);
  std::uint32_t operator()(Random& random) const;

 private:
  std::vector<std::uint64_t> ends_;  // by index: the sum up to it
};

// Letters and digits.
std::string alphanumerics(Random& random, std::uint32_t length);

}  // namespace awdit
