// What lists tell about the order of those who appended. Private to check/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/index.h"

namespace awdit {

// What a list shows: an element of `older` is in it, and either one of `newer`
// behind it, or none of `newer` at all.
struct Shown {
  std::uint32_t key;
  std::uint32_t older, newer;  // txns of the history
  std::uint32_t reader;
  OpId read;
};
// What the lists show that these transactions read, about these transactions.
std::vector<Shown> shown_in_lists(const Index& index,
                                  std::span<const std::uint32_t> txns);

}  // namespace awdit
