#include "base/unique_name.h"

#include <random>
#include <string_view>

namespace awdit {

std::string unique_suffix() {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr int kLength = 6;
  // From the kernel, not a generator with a seed: after a fork both would draw
  // alike.
  std::random_device kernel;
  std::uniform_int_distribution<std::size_t> letter(0, kLetters.size() - 1);
  std::string suffix;
  for (int i = 0; i < kLength; ++i) suffix += kLetters[letter(kernel)];
  return suffix;
}

std::string random_token(unsigned bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device kernel;
  std::uniform_int_distribution<std::size_t> digit(0, kDigits.size() - 1);
  std::string token;
  for (unsigned i = 0; i < 2 * bytes; ++i) token += kDigits[digit(kernel)];
  return token;
}

}  // namespace awdit
