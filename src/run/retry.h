// Whether a task that the database refused is tried again. Private to run/.
//
// A retry is the same task made anew, from the same random numbers, as a new
// transaction: the refused one is in the history as aborted. Only a refusal is
// followed by one. Where no answer came, the commit may have taken effect, and
// the task is given up.
#pragma once

#include <cstdint>
#include <optional>

#include "base/random.h"

namespace awdit {

class Retry {
 public:
  explicit Retry(std::uint32_t most) : most_(most) {}

  // The numbers from which a new task is drawn.
  Random begin(std::uint64_t seed) {
    seed_ = seed;
    left_ = most_;
    return Random(seed);
  }
  // A task that was given as it is, and cannot be made anew.
  void begin() { left_ = 0; }
  // Those of the next attempt, after a refusal; nothing: that was the last.
  std::optional<Random> again() {
    if (left_ == 0) return std::nullopt;
    --left_;
    return Random(seed_);
  }

 private:
  std::uint32_t most_;
  std::uint32_t left_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace awdit
