// The defaults are those of Elle's generator (Kingsbury and Alvaro, VLDB 2020):
// place i is half as popular as i - 1, and a key is written at most 256 times.
// Hotspot is dbcop's: four fifths of the accesses go to a fifth of the keys.
#include "workload/key_pool.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "workload/workload.h"

namespace awdit {
namespace {

constexpr unsigned kCountBits = 24;
constexpr std::uint64_t kOneKey = std::uint64_t{1} << kCountBits;
constexpr std::uint64_t kCountMask = kOneKey - 1;

std::string name_of(std::uint64_t key) { return "x" + std::to_string(key); }

}  // namespace

KeyPool::KeyPool(const Settings& settings, std::uint64_t seed)
    : places_(settings.number("keys")),
      distribution_(static_cast<Distribution>(settings["distribution"])),
      writes_per_key_(settings.number("writes-per-key")),
      seed_(seed),
      popularity_(places_, settings.share("theta")),
      limits_(std::max<std::uint32_t>(writes_per_key_, 1), 1.0),
      states_(places_) {}

std::uint32_t KeyPool::place(Random& random) const {
  switch (distribution_) {
    case Distribution::uniform:
      break;
    case Distribution::zipf:
      return popularity_(random);
    case Distribution::hotspot: {
      const std::uint32_t hot = std::max<std::uint32_t>(places_ / 5, 1);
      if (random.below(5) != 0 || hot == places_) return random.below(hot);
      return hot + random.below(places_ - hot);
    }
    case Distribution::exponential:
      for (;;) {
        const int zeros = std::countr_zero(random.next());
        const auto drawn = static_cast<std::uint32_t>(zeros);
        if (drawn < places_) return drawn;
      }
  }
  return random.below(places_);
}

std::uint64_t KeyPool::limit(std::uint64_t key) const {
  Random random(seed_ ^ (key * 0x9E3779B97F4A7C15u));
  return 1 + limits_(random);
}

std::uint64_t KeyPool::key_at(std::uint32_t place, std::uint64_t state) const {
  return (state >> kCountBits) * places_ + place;
}

std::string KeyPool::to_read(Random& random) {
  const std::uint32_t drawn = place(random);
  return name_of(key_at(drawn, states_[drawn].load(std::memory_order_relaxed)));
}

std::string KeyPool::to_write(Random& random) {
  const std::uint32_t drawn = place(random);
  if (!rotates()) return name_of(drawn);
  std::atomic<std::uint64_t>& state = states_[drawn];
  std::uint64_t seen = state.load(std::memory_order_relaxed);
  for (;;) {
    const std::uint64_t key = key_at(drawn, seen);
    const bool last = (seen & kCountMask) + 1 >= limit(key);
    const std::uint64_t next = last ? (seen & ~kCountMask) + kOneKey : seen + 1;
    if (state.compare_exchange_weak(seen, next, std::memory_order_relaxed)) {
      return name_of(key);
    }
  }
}

void KeyPool::sort(std::vector<std::string>& keys) const {
  const auto number = [](const std::string& name) {
    std::uint64_t key = 0;
    std::from_chars(name.data() + 1, name.data() + name.size(), key);
    return key;
  };
  std::sort(keys.begin(), keys.end(),
            [&](const std::string& a, const std::string& b) {
              const std::uint64_t one = number(a), other = number(b);
              const std::uint64_t place = one % places_;
              if (place != other % places_) return place > other % places_;
              return one < other;
            });
}

std::vector<std::string> KeyPool::all() const {
  std::vector<std::string> names;
  for (std::uint32_t drawn = 0; drawn < places_; ++drawn) {
    const std::uint64_t state = states_[drawn].load(std::memory_order_relaxed);
    for (std::uint64_t key = drawn; key <= key_at(drawn, state);
         key += places_) {
      names.push_back(name_of(key));
    }
  }
  return names;
}

}  // namespace awdit
