// Numbers in text, eight bytes at a time. Private to format/.
#pragma once

#include <bit>
#include <cstdint>

namespace awdit {

inline constexpr std::uint64_t kEightOnes = 0x0101'0101'0101'0101u;

// Eight bytes at once, the first one lowest. All of them must be readable.
inline std::uint64_t eight_bytes(const char* p) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
  }
  return word;
}

// The number that the leading digits make, and how many there are, at most 8.
// Digits move up by the places that are missing, zeros into their place; then
// neighbours are joined in pairs, fours and eights.
inline unsigned leading_digits(std::uint64_t word, std::uint64_t& number) {
  std::uint64_t digits = word ^ ('0' * kEightOnes);
  const std::uint64_t marks =
      ((digits + 0x76 * kEightOnes) | digits) & (0x80 * kEightOnes);
  const auto count = static_cast<unsigned>(std::countr_zero(marks)) / 8;
  if (count == 0) return 0;
  digits <<= 64 - 8 * count;
  digits = (digits * 10 + (digits >> 8)) & 0x00FF'00FF'00FF'00FFu;
  digits = (digits * 100 + (digits >> 16)) & 0x0000'FFFF'0000'FFFFu;
  number = (digits * 10000 + (digits >> 32)) & 0xFFFF'FFFFu;
  return count;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The byte behind the digits at p, and their number; nullptr: it does not fit
// into 64 bits. A byte that is no digit must follow.
inline const char* all_digits(const char* p, std::uint64_t& value) {
  value = 0;
  for (const char* const start = p; is_digit(*p); ++p) {
    const auto digit = static_cast<std::uint64_t>(*p - '0');
    // Nineteen digits cannot overflow.
    if (p - start >= 19 && value > (UINT64_MAX - digit) / 10) return nullptr;
    value = value * 10 + digit;
  }
  return p;
}

// The byte behind the integer at p and its value; nullptr if there is none, or
// if it is unusual: a sign, a leading zero, more than 15 digits.
// REQUIRES: 16 bytes may be read.
inline const char* usual_integer(const char* p, std::uint64_t& value) {
  unsigned count = leading_digits(eight_bytes(p), value);
  if (count == 8) {
    unsigned digit = 0;
    for (; count < 16; ++count) {
      digit = static_cast<unsigned char>(p[count]) - unsigned{'0'};
      if (digit > 9) break;
      value = value * 10 + digit;
    }
    if (digit <= 9) return nullptr;
  }
  if (count == 0 || (*p == '0' && count > 1)) return nullptr;
  return p + count;
}

}  // namespace awdit
