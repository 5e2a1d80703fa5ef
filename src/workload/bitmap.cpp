// Base64 as in RFC 4648, with padding. Reading stops at the first character
// that does not belong to it.
#include "workload/bitmap.h"

#include "base/assert.h"

namespace awdit {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// 64: none.
std::uint32_t value_of_digit(char digit) {
  if (digit >= 'A' && digit <= 'Z') return static_cast<unsigned>(digit - 'A');
  if (digit >= 'a' && digit <= 'z') {
    return static_cast<unsigned>(digit - 'a') + 26;
  }
  if (digit >= '0' && digit <= '9') {
    return static_cast<unsigned>(digit - '0') + 52;
  }
  if (digit == '+') return 62;
  return digit == '/' ? 63 : 64;
}

}  // namespace

Bitmap::Bitmap(std::uint32_t size) : size_(size), bytes_((size + 7) / 8) {}

Bitmap::Bitmap(std::uint32_t size, std::string_view payload) : Bitmap(size) {
  std::uint32_t bits = 0;
  unsigned held = 0;
  std::size_t next = 0;
  for (const char digit : payload) {
    const std::uint32_t value = value_of_digit(digit);
    if (value == 64 || next == bytes_.size()) break;
    bits = (bits << 6 | value) & 0xFFFF;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes_[next++] = static_cast<std::uint8_t>(bits >> held);
  }
}

void Bitmap::set(std::uint32_t number, bool in) {
  AWDIT_ASSERT(number < size_);
  const auto bit = static_cast<std::uint8_t>(1u << (number % 8));
  std::uint8_t& byte = bytes_[number / 8];
  byte = static_cast<std::uint8_t>(in ? byte | bit : byte & ~bit);
}

std::vector<std::uint32_t> Bitmap::first(std::size_t most) const {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < size_ && numbers.size() < most; ++i) {
    if ((bytes_[i / 8] >> (i % 8) & 1) != 0) numbers.push_back(i);
  }
  return numbers;
}

std::string Bitmap::payload() const {
  std::string text;
  text.reserve((bytes_.size() + 2) / 3 * 4);
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const std::uint8_t byte : bytes_) {
    bits = (bits << 8 | byte) & 0xFFFF;
    held += 8;
    while (held >= 6) {
      held -= 6;
      text += kDigits[bits >> held & 63];
    }
  }
  if (held > 0) text += kDigits[bits << (6 - held) & 63];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

}  // namespace awdit
