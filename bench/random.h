// Seeded random numbers that are the same on every machine and standard
// library (std:: distributions are not): a benchmark names its input by the
// options that made it.
#pragma once

#include <cstdint>
#include <vector>

namespace awdit::bench {

// splitmix64 (Steele, Lea and Flood, OOPSLA 2014): 64 bits of state are plenty
// for test data.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // Uniform in [0, bound). REQUIRES: bound > 0. The bias is below 2^-32.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }
  // Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

// Ranks 0 ... size-1 with probability proportional to 1 / (rank + 1)^theta;
// theta 0 is uniform. Walker's alias method: one table look-up per number,
// where inverting the distribution would take a power and a logarithm.
class Zipf {
 public:
  Zipf(std::uint32_t size, double theta);
  std::uint32_t operator()(Random& random) const {
    const std::uint64_t bits = random.next();
    const auto slot = static_cast<std::uint32_t>(
        ((bits >> 32) * static_cast<std::uint64_t>(slots_.size())) >> 32);
    const auto coin = static_cast<std::uint32_t>(bits);
    return coin < slots_[slot].threshold ? slot : slots_[slot].alias;
  }

 private:
  struct Slot {
    std::uint32_t threshold;  // of 2^32: below it, the slot itself
    std::uint32_t alias;
  };
  std::vector<Slot> slots_;  // [rank]
};

}  // namespace awdit::bench
