// Seeded random numbers that are the same on every machine and standard library
// (std:: distributions are not): an input is named by what made it.
#pragma once

#include <cstdint>

namespace awdit {

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
  // Likewise, for bounds up to 2^64.
  std::uint64_t below_wide(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * bound) >>
                                      64);
  }
  // Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

// True with a given probability.
class Coin {
 public:
  // REQUIRES: 0 <= probability <= 1.
  explicit Coin(double probability)
      : limit_(static_cast<std::uint64_t>(probability * 0x1.0p53)) {}
  bool never() const { return limit_ == 0; }
  bool operator()(Random& random) const { return random.next() >> 11 < limit_; }

 private:
  std::uint64_t limit_;  // of 2^53
};

}  // namespace awdit
