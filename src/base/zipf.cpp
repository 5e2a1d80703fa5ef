// Zipf numbers by rejection-inversion (Hörmann and Derflinger, "Rejection-
// inversion to generate variates from monotone discrete distributions", ACM
// TOMACS 1996).
//
// Idea: rank k stands for the interval from k - 1/2 to k + 1/2 under the curve
// h(x) = 1 / x^theta. A point is drawn uniformly from the area under the curve,
// by inverting its integral, and rounded to the nearest rank. As h is convex,
// an interval holds at least the weight h(k) of its rank; in what is too much,
// at its lower end, a point is drawn again. Rank 1 gets just its weight.
// Cost: constant, whatever the number of keys, and no table of their size; few
// draws are repeated.
//
// The integral is (x^(1-theta) - 1) / (1-theta), which is log x at theta = 1
// and near it must not divide by the difference; expm1 and log1p keep the
// digits.
#include "base/zipf.h"

#include <algorithm>
#include <cmath>

namespace awdit {
namespace {

// (e^x - 1) / x and log(1 + x) / x, also where x is nearly 0.
double exp_quotient(double x) {
  return std::abs(x) > 1e-8 ? std::expm1(x) / x : 1 + x / 2 * (1 + x / 3);
}
double log_quotient(double x) {
  return std::abs(x) > 1e-8 ? std::log1p(x) / x : 1 - x * (0.5 - x / 3);
}

}  // namespace

double Zipf::height(double x) const { return std::exp(-theta_ * std::log(x)); }

double Zipf::area(double x) const {
  const double log = std::log(x);
  return exp_quotient((1 - theta_) * log) * log;
}

double Zipf::area_inverse(double y) const {
  // Rounding may lead below the least argument of the logarithm.
  const double scaled = std::max(y * (1 - theta_), -1.0);
  return std::exp(log_quotient(scaled) * y);
}

Zipf::Zipf(std::uint32_t size, double theta) : theta_(theta), size_(size) {
  area_first_ = area(1.5) - 1;
  area_last_ = area(size_ + 0.5);
  accept_ = 2 - area_inverse(area(2.5) - height(2));
}

std::uint32_t Zipf::operator()(Random& random) const {
  for (;;) {
    const double y = area_last_ + random.unit() * (area_first_ - area_last_);
    const double x = area_inverse(y);
    const double rank = std::clamp(std::floor(x + 0.5), 1.0, size_);
    if (rank - x <= accept_ || y >= area(rank + 0.5) - height(rank)) {
      return static_cast<std::uint32_t>(rank) - 1;
    }
  }
}

}  // namespace awdit
