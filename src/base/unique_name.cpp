#include "base/unique_name.h"

#include <random>
#include <string_view>

namespace awdit {

namespace {

// From the kernel, not a generator with a seed: after a fork both would draw
// alike.
std::string drawn(std::string_view letters, unsigned length) {
  std::random_device kernel;
  std::uniform_int_distribution<std::size_t> letter(0, letters.size() - 1);
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += letters[letter(kernel)];
  return text;
}

}  // namespace

std::string unique_suffix() {
  return drawn("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
               6);
}

std::string random_token(unsigned bytes) {
  return drawn("0123456789abcdef", 2 * bytes);
}

}  // namespace awdit
