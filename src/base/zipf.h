// Draws ranks, 0 the most popular, by Zipf's law. See zipf.cpp.
#pragma once

#include <cstdint>

#include "base/random.h"

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

}  // namespace awdit
