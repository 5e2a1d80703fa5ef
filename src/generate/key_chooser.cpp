// See key_chooser.h.
#include "generate/key_chooser.h"

#include <algorithm>
#include <cmath>

namespace awdit {

KeyChooser::KeyChooser(const Distribution& distribution, std::uint32_t keys)
    : kind_(distribution.kind),
      keys_(keys),
      hot_(std::clamp<std::uint32_t>(
          static_cast<std::uint32_t>(std::ceil(distribution.hot_keys * keys)),
          1, keys)),
      to_hot_(distribution.hot_accesses),
      zipf_(keys, kind_ == Distribution::Kind::zipf ? distribution.theta : 1) {
  // No weight at all to prefer one key to another.
  if (kind_ == Distribution::Kind::zipf && distribution.theta == 0) {
    kind_ = Distribution::Kind::uniform;
  }
  if (kind_ == Distribution::Kind::hotspot && hot_ == keys_) {
    kind_ = Distribution::Kind::uniform;
  }
}

std::uint32_t KeyChooser::choose(Random& random) const {
  if (kind_ == Distribution::Kind::zipf) return zipf_(random);
  if (to_hot_(random)) return random.below(hot_);
  return hot_ + random.below(keys_ - hot_);
}

}  // namespace awdit
