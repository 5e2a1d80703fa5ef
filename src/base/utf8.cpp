#include "base/utf8.h"

#include <cstdint>

namespace awdit {
namespace {

constexpr char kHex[] = "0123456789abcdef";

std::uint8_t byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<std::uint8_t>(bytes[i]);
}

// Code points that a terminal obeys or that rearrange what stands around them.
bool is_active(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) ||
         (point >= 0x200B && point <= 0x200F) ||
         (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF;
}

void append_escape(std::string& out, std::uint32_t point) {
  switch (point) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (point < 0x80) {
    out += "\\x";
    out += kHex[point >> 4];
    out += kHex[point & 0xF];
    return;
  }
  out += "\\u{";
  bool started = false;
  for (int shift = 20; shift >= 0; shift -= 4) {
    const std::uint32_t digit = point >> shift & 0xF;
    started = started || digit != 0;
    if (started) out += kHex[digit];
  }
  out += '}';
}

}  // namespace

std::size_t utf8_sequence(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const std::uint8_t first = byte_at(bytes, 0);
  if (first < 0x80) return 1;
  // What the second byte may be depends on the first: that is where overlong
  // forms, surrogates and too large code points are told apart.
  std::size_t length = 0;
  std::uint8_t low = 0x80, high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (bytes.size() < length) return 0;
  if (byte_at(bytes, 1) < low || byte_at(bytes, 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(bytes, i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text.substr(0, 4));
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    if (length == 0) {
      const std::uint8_t byte = byte_at(text, 0);
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 0xF];
      text.remove_prefix(1);
      continue;
    }
    const std::string_view sequence = text.substr(0, length);
    const std::uint32_t point = code_point(sequence);
    if (is_active(point)) {
      append_escape(out, point);
    } else {
      out += sequence;
    }
    text.remove_prefix(length);
  }
  return out;
}

void append_utf8(std::uint32_t point, std::string& text) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80) return add(point);
  if (point < 0x800) {
    add(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      add(0xE0 | point >> 12);
    } else {
      add(0xF0 | point >> 18);
      add(0x80 | (point >> 12 & 0x3F));
    }
    add(0x80 | (point >> 6 & 0x3F));
  }
  add(0x80 | (point & 0x3F));
}

std::uint32_t code_point(std::string_view sequence) {
  const std::uint32_t first = byte_at(sequence, 0);
  if (sequence.size() == 1) return first;
  std::uint32_t point = first & (0xFFu >> (sequence.size() + 1));
  for (std::size_t i = 1; i < sequence.size(); ++i) {
    point = point << 6 | (byte_at(sequence, i) & 0x3Fu);
  }
  return point;
}

std::size_t code_points(std::string_view text) {
  std::size_t count = 0;
  for (char c : text) {
    if ((static_cast<std::uint8_t>(c) & 0xC0) != 0x80) ++count;
  }
  return count;
}

}  // namespace awdit
