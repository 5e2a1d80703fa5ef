// Escapes are those of Clojure's reader: \t \n \r \b \f \\ \" \/, \uXXXX with
// pairs of surrogates joined, and up to three octal digits.
#include "format/edn_string.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/utf8.h"

namespace awdit {
namespace {

// A number of `least` to `most` digits at `at`, which moves behind it.
bool number(std::string_view text, std::size_t& at, int base, std::size_t least,
            std::size_t most, std::uint32_t& code) {
  if (at > text.size()) return false;
  const char* const start = text.data() + at;
  const char* const end = start + std::min(most, text.size() - at);
  const auto [stop, error] = std::from_chars(start, end, code, base);
  const auto count = static_cast<std::size_t>(stop - start);
  if (error != std::errc() || count < least) return false;
  at += count;
  return true;
}

}  // namespace

bool unescape_edn(std::string_view literal, std::string& text) {
  const std::string_view inside = literal.substr(1, literal.size() - 2);
  text.clear();
  for (std::size_t i = 0; i < inside.size();) {
    if (inside[i] != '\\') {
      text += inside[i++];
      continue;
    }
    constexpr std::string_view kNames = "tnrbf\\\"/";
    constexpr std::string_view kMeant = "\t\n\r\b\f\\\"/";
    // There is one, or the string had no end; unless the file changed.
    if (++i == inside.size()) return false;
    const char name = inside[i];
    std::uint32_t code = 0;
    if (const std::size_t k = kNames.find(name); k != kNames.npos) {
      text += kMeant[k];
      ++i;
    } else if (name == 'u') {
      if (!number(inside, ++i, 16, 4, 4, code)) return false;
      std::uint32_t low = 0;
      std::size_t j = i + 2;
      if (code >> 10 == 0x36 && inside.substr(i, 2) == "\\u" &&
          number(inside, j, 16, 4, 4, low) && low >> 10 == 0x37) {
        code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF);
        i = j;
      }
      append_utf8(code, text);
    } else if (number(inside, i, 8, 1, 3, code)) {
      append_utf8(code, text);
    } else {
      return false;
    }
  }
  return true;
}

void append_edn_literal(std::string_view text, std::string& out) {
  constexpr std::string_view kMeant = "\"\\\n\r\t";
  constexpr std::string_view kNames = "\"\\nrt";
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const std::size_t k = kMeant.find(text[i]); k != kMeant.npos) {
      out += '\\';
      out += kNames[k];
    } else if (const int control = utf8_control(text.substr(i, 2));
               control >= 0) {
      out += "\\u00";
      out += kHex[control >> 4];
      out += kHex[control & 0xF];
      if (control >= 0x80) ++i;
    } else {
      out += text[i];
    }
  }
  out += '"';
}

}  // namespace awdit
