// Draws the ranks of keys, 0 the most popular, by a Distribution. Private to
// generate/. See key_chooser.cpp.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "base/zipf.h"
#include "generate/generate.h"

namespace awdit {

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
