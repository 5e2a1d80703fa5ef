// Distinct numbers come from Floyd's algorithm (Bentley and Floyd, "A sample of
// brilliance", CACM 1987): the i-th draw is below bound - count + i + 1, and a
// number that was drawn before is replaced by the greatest possible one, which
// cannot have been. Each set is equally likely; a shuffle makes the orders so.
#include "workload/draw.h"

#include <unordered_set>

#include "base/assert.h"

namespace awdit {

std::vector<std::uint32_t> distinct(Random& random, std::uint32_t count,
                                    std::uint32_t bound) {
  AWDIT_ASSERT(count <= bound);
  std::vector<std::uint32_t> drawn;
  drawn.reserve(count);
  std::unordered_set<std::uint32_t> seen;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t greatest = bound - count + i;
    const std::uint32_t number = random.below(greatest + 1);
    drawn.push_back(seen.insert(number).second ? number : greatest);
    seen.insert(drawn.back());
  }
  shuffle(drawn, random);
  return drawn;
}

Weights::Weights(std::initializer_list<std::uint64_t> weights) {
  std::uint64_t sum = 0;
  for (const std::uint64_t weight : weights) ends_.push_back(sum += weight);
}

std::uint32_t Weights::operator()(Random& random) const {
  if (ends_.back() == 0) return 0;
  const std::uint64_t point = random.below_wide(ends_.back());
  std::uint32_t index = 0;
  while (point >= ends_[index]) ++index;
  return index;
}

std::string alphanumerics(Random& random, std::uint32_t length) {
  constexpr char kCharacters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::string text(length, ' ');
  for (char& character : text) {
    character = kCharacters[random.below(sizeof(kCharacters) - 1)];
  }
  return text;
}

}  // namespace awdit
