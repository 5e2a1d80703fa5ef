// A text as three words: the bytes of a short one and how many there are, or a
// print of a long one. Private to history/, but for readers of formats, who
// have the bytes in hand when they look for the end of a text.
//
// Most keys are shorter than 24 bytes. Their hash is three multiplications. The
// first byte is the lowest of its word, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace awdit {

struct TextWords {
  // The longest text that is all here; its size is in the highest byte.
  static constexpr std::size_t kLongest = 23;
  std::uint64_t words[3] = {0, 0, 0};

  TextWords() = default;
  explicit TextWords(std::string_view text) {
    const char* const p = text.data();
    const std::size_t size = text.size();
    if (size > kLongest) {
      words[0] = std::hash<std::string_view>()(text);
      words[1] = size;
      words[2] = kPrint << 56;
      return;
    }
    // The last word is read from the end, and what was there twice is dropped.
    if (size >= 8) {
      words[0] = load<8>(p);
      const std::size_t rest = size % 8;
      if (size >= 16) words[1] = load<8>(p + 8);
      if (rest != 0) words[size / 8] = load<8>(p + size - 8) >> (64 - 8 * rest);
    } else if (size >= 4) {
      words[0] = load<4>(p) | load<4>(p + size - 4) << (8 * (size - 4));
    } else {
      for (std::size_t i = size; i-- > 0;) {
        words[0] = words[0] << 8 | static_cast<unsigned char>(p[i]);
      }
    }
    set_size(size);
  }

  // REQUIRES: at most kLongest.
  void set_size(std::size_t size) { words[2] |= std::uint64_t{size} << 56; }

  // Each step keeps different words different.
  std::uint64_t hash() const {
    std::uint64_t x = words[0] * 0x9e3779b97f4a7c15u;
    x = ((x ^ x >> 32) ^ words[1]) * 0xbf58476d1ce4e5b9u;
    x = ((x ^ x >> 29) ^ words[2]) * 0x94d049bb133111ebu;
    return x ^ x >> 32;
  }

 private:
  static constexpr std::uint64_t kPrint = 0xFF;
  // Compilers know this to be one load.
  template <unsigned kBytes>
  static std::uint64_t load(const char* p) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < kBytes; ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
    }
    return word;
  }
};

}  // namespace awdit
