// Ranks by Zipf's law as Gray and others approximate it ("Quickly generating
// billion-record synthetic databases", SIGMOD 1994) and as Cobra's workloads
// draw them, so that ours have their counts. base/zipf.h is exact; this is what
// comparisons with published histories need. Private to workload/.
// Cost: O(size) once, then constant.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/random.h"

namespace awdit {

class GrayZipf {
 public:
  // REQUIRES: size > 0, 0 < theta < 1.
  GrayZipf(std::uint32_t size, double theta)
      : size_(size), alpha_(1 / (1 - theta)), second_(std::pow(0.5, theta)) {
    for (std::uint32_t i = 1; i <= size; ++i) zeta_ += std::pow(i, -theta);
    eta_ = (1 - std::pow(2.0 / size_, 1 - theta)) / (1 - (1 + second_) / zeta_);
  }

  // 0 is the most popular one.
  std::uint32_t operator()(Random& random) const {
    const double unit = random.unit();
    const double area = unit * zeta_;
    if (size_ < 2 || area < 1) return 0;
    if (area < 1 + second_) return 1;
    if (size_ < 3) return 1;
    const double rank = size_ * std::pow(eta_ * unit - eta_ + 1, alpha_);
    return static_cast<std::uint32_t>(std::clamp(rank, 0.0, size_ - 1));
  }

 private:
  double size_;
  double alpha_;
  double second_;
  double zeta_ = 0;
  double eta_;
};

}  // namespace awdit
