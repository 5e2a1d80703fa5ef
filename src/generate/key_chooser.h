// Draws the ranks of keys, 0 the most popular, by a Distribution. Private to
// generate/. See key_chooser.cpp.
#pragma once

#include <cstdint>

#include "generate/generate.h"
#include "generate/random.h"

namespace awdit {

// Ranks 0 ... size - 1 with weight 1 / (rank + 1)^theta.
class Zipf {
 public:
  // REQUIRES: size > 0, theta > 0.
  Zipf(std::uint32_t size, double theta);
  std::uint32_t operator()(Random& random) const;

 private:
  double area(double x) const;
  double area_inverse(double y) const;
  double height(double x) const;

  double theta_;
  double size_;
  double area_first_;  // where the area that is drawn from begins
  double area_last_;   // and ends
  double accept_;      // so near to its rank a point needs no test
};

class KeyChooser {
 public:
  KeyChooser(const Distribution& distribution, std::uint32_t keys);
  std::uint32_t operator()(Random& random) const {
    if (kind_ == Distribution::Kind::uniform) return random.below(keys_);
    return choose(random);
  }

 private:
  std::uint32_t choose(Random& random) const;

  Distribution::Kind kind_;
  std::uint32_t keys_;
  std::uint32_t hot_;
  Coin to_hot_;
  Zipf zipf_;
};

}  // namespace awdit
