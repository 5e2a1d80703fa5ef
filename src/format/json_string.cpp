#include "format/json_string.h"

#include <cstdint>
#include <string_view>

#include "base/utf8.h"

namespace awdit {
namespace {

constexpr const char* kHalf = "half of a surrogate pair is no character";

// The place behind four hexadecimal digits, or the byte that is none.
const char* hexadecimal(const char* p, std::uint32_t& unit, bool& good) {
  unit = 0;
  good = false;
  for (int i = 0; i < 4; ++i, ++p) {
    const char lower = static_cast<char>(*p | 0x20);
    if (*p >= '0' && *p <= '9') {
      unit = unit * 16 + static_cast<std::uint32_t>(*p - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      unit = unit * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
    } else {
      return p;
    }
  }
  good = true;
  return p;
}

JsonCharacter expected(const char* at, const char* wanted) {
  return {.end = nullptr, .at = at, .wanted = wanted};
}
JsonCharacter fail(const char* at, const char* message) {
  return {.end = nullptr, .at = at, .message = message};
}

JsonCharacter append_escape(const char* start, std::string& text) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const char* p = start + 1;
  if (const std::size_t i = kNames.find(*p); i != std::string_view::npos) {
    text += kMeanings[i];
    return {.end = p + 1};
  }
  if (*p != 'u') return expected(p, "an escaped character");
  std::uint32_t point = 0, low = 0;
  bool good = false;
  p = hexadecimal(p + 1, point, good);
  if (!good) return expected(p, "four hexadecimal digits");
  if (point >= 0xDC00 && point < 0xE000) return fail(start, kHalf);
  if (point >= 0xD800 && point < 0xDC00) {  // the first half of a pair
    for (const char c : {'\\', 'u'}) {
      if (*p != c) return expected(p, "the second half of a surrogate pair");
      ++p;
    }
    p = hexadecimal(p, low, good);
    if (!good) return expected(p, "four hexadecimal digits");
    if (low < 0xDC00 || low >= 0xE000) return fail(start, kHalf);
    point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
  }
  append_utf8(point, text);
  return {.end = p};
}

}  // namespace

JsonCharacter append_json_character(const char* p, std::string& text) {
  if (*p == '\\') return append_escape(p, text);
  std::size_t size = 1;
  while (size < 4 && (static_cast<unsigned char>(p[size]) & 0xC0) == 0x80) {
    ++size;
  }
  size = utf8_sequence({p, size});
  if (size == 0) return fail(p, "the text is not UTF-8");
  text.append(p, size);
  return {.end = p + size};
}

}  // namespace awdit
