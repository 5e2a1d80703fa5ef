// Bytes of unknown origin, made safe to show.
//
// Keys, values, ids and lines of input may hold anything. Shown raw on a
// terminal, an escape sequence among them could repaint the verdict; put raw
// into JSON, a stray byte would make the whole output unreadable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace awdit {

// The length in bytes (1 to 4) of the well-formed UTF-8 sequence at the start
// of `bytes`, or 0 if there is none: overlong forms, surrogates and code points
// beyond U+10FFFF are not well-formed.
std::size_t utf8_sequence(std::string_view bytes);

// The code of the control character at the start of `bytes`: U+0000 to U+001F,
// DEL and U+0080 to U+009F, which terminals obey as well; -1 if it is none.
inline int utf8_control(std::string_view bytes) {
  if (bytes.empty()) return -1;
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (first < 0x20 || first == 0x7F) return first;
  if (first != 0xC2 || bytes.size() < 2) return -1;
  const auto second = static_cast<unsigned char>(bytes[1]);
  return second >= 0x80 && second < 0xA0 ? second : -1;
}

// Whether `text` has nothing else.
bool is_utf8(std::string_view text);

// `text` on one line, harmless on a terminal: control characters become \n, \t
// or \x1b, characters that reorder or hide text (bidirectional controls, line
// separators) become \u{202e}, and bytes that are not UTF-8 become \xff.
// Everything else, blanks and backslashes included, stays as it is.
std::string visible(std::string_view text);

// Appends the sequence of a code point, at most U+10FFFF.
void append_utf8(std::uint32_t point, std::string& text);

// The code point of one sequence. REQUIRES: it is well-formed.
std::uint32_t code_point(std::string_view sequence);

// How many there are in `text`; base/columns.h tells how wide they are.
std::size_t code_points(std::string_view text);

}  // namespace awdit
