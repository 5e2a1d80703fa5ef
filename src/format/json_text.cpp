#include "format/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cstring>
#include <utility>

#include "base/utf8.h"
#include "format/text_place.h"

namespace awdit {
namespace {

bool is_json_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Four hexadecimal digits, or nothing.
bool hexadecimal(std::string_view digits, std::uint32_t& value) {
  value = 0;
  if (digits.size() != 4) return false;
  for (const char c : digits) {
    const char lower = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      value = value * 16 + static_cast<std::uint32_t>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      value = value * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
    } else {
      return false;
    }
  }
  return true;
}

void append_utf8(std::uint32_t point, std::string& text) {
  const auto add = [&](std::uint32_t byte) {
    text += static_cast<char>(static_cast<unsigned char>(byte));
  };
  if (point < 0x80) {
    add(point);
  } else if (point < 0x800) {
    add(0xC0 | point >> 6);
    add(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    add(0xE0 | point >> 12);
    add(0x80 | (point >> 6 & 0x3F));
    add(0x80 | (point & 0x3F));
  } else {
    add(0xF0 | point >> 18);
    add(0x80 | (point >> 12 & 0x3F));
    add(0x80 | (point >> 6 & 0x3F));
    add(0x80 | (point & 0x3F));
  }
}

// Resolves the escape that `rest` begins with; its length, 0 if it is none.
std::size_t resolve(std::string_view rest, std::string& text) {
  if (rest.size() < 2) return 0;
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (const std::size_t i = kNames.find(rest[1]); i != std::string_view::npos) {
    text += kMeanings[i];
    return 2;
  }
  std::uint32_t point = 0, low = 0;
  if (rest[1] != 'u' || !hexadecimal(rest.substr(2, 4), point)) return 0;
  std::size_t length = 6;
  if (point >= 0xD800 && point < 0xDC00) {  // the first half of a pair
    if (rest.substr(length, 2) != "\\u" ||
        !hexadecimal(rest.substr(length + 2, 4), low) || low < 0xDC00 ||
        low >= 0xE000) {
      return 0;
    }
    point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    length += 6;
  } else if (point >= 0xDC00 && point < 0xE000) {
    return 0;
  }
  append_utf8(point, text);
  return length;
}

}  // namespace

JsonText::JsonText(const Input& input, std::string_view hint)
    : input_(input), hint_(hint), mark_(byte_order_mark(input.bytes())) {
  bytes_ = input.bytes();
  if (!input.padded()) {
    char* const room = copy_.room(bytes_.size() + 1);
    if (!bytes_.empty()) std::memcpy(room, bytes_.data(), bytes_.size());
    room[bytes_.size()] = '\0';
    copy_.grow(bytes_.size());
    bytes_ = copy_.bytes();
  }
  bytes_.remove_prefix(mark_);
}

bool JsonText::has_lines() const {
  std::size_t end = bytes_.size();
  while (end > 0 && is_json_space(bytes_[end - 1])) --end;
  return bytes_.substr(0, end).find('\n') != std::string_view::npos;
}

Error JsonText::error(const char* at, std::string message) const {
  return error_at(input_, static_cast<std::size_t>(at - bytes_.data()) + mark_,
                  std::move(message), std::string(hint_));
}

bool JsonReader::skip() {
  // [depth] -> whether an object is open, for the closing bracket
  std::bitset<kDeepest> objects;
  std::size_t depth = 0;
  do {
    const char c = *at();
    std::string_view ignored;
    if (c == '[' || c == '{') {
      if (depth == kDeepest) {
        return fail(
            p_, fmt::format("brackets are nested more than {} deep", kDeepest));
      }
      objects[depth++] = c == '{';
      ++p_;
    } else if (c == ']' || c == '}') {
      if (depth == 0 || objects[depth - 1] != (c == '}')) {
        return expected("a value");
      }
      --depth;
      ++p_;
    } else if (c == '"') {
      if (!string(ignored, "a string")) return false;
    } else if ((c == ',' || c == ':') && depth > 0) {
      ++p_;
    } else {
      const char* const start = p_;
      while (!ends_token(*p_) && *p_ != ':' && *p_ != '"') ++p_;
      if (p_ == start) {
        return expected(depth == 0 ? "a value" : "a value or a bracket");
      }
    }
  } while (depth > 0);
  return true;
}

bool JsonReader::boolean(bool& flag) {
  flag = word("true");
  return flag || word("false") || expected("true or false");
}

bool JsonReader::text(std::string& text, std::string_view what) {
  std::string_view inside;
  if (!string(inside, what)) return false;
  text.clear();
  for (std::size_t i = 0; i < inside.size();) {
    const bool escape = inside[i] == '\\';
    const std::size_t length = escape ? resolve(inside.substr(i), text)
                                      : utf8_sequence(inside.substr(i, 4));
    if (length == 0) {
      return fail(inside.data() + i,
                  escape ? "JSON knows no such escape"
                         : "this is not UTF-8, the encoding of JSON");
    }
    if (!escape) text += inside.substr(i, length);
    i += length;
  }
  return true;
}

bool JsonReader::expected(std::string_view what) {
  return expected_at(p_, what);
}

bool JsonReader::expected_at(const char* place, std::string_view what) {
  const std::string_view rest = text_.bytes().substr(offset(place));
  std::string found = found_at(rest, 0);
  if (rest.starts_with('"')) {
    constexpr std::size_t kShown = 24;
    const std::size_t end = rest.find('"', 1);
    const std::string shown =
        visible(rest.substr(1, std::min(end, kShown) - 1));
    found =
        fmt::format("the string \"{}{}\"", shown, end > kShown ? "..." : "");
  }
  return fail(place, fmt::format("expected {}, found {}", what, found));
}

bool JsonReader::fail(const char* place, std::string message) {
  if (failed()) return false;
  p_ = place;
  message_ = std::move(message);
  return false;
}

bool JsonReader::unfinished(const char* place) {
  if (*place == '\n' || offset(place) >= text_.bytes().size()) {
    return fail(p_, "the string does not end");
  }
  return fail(place, "a string may not hold a control character");
}

std::string_view first_json_key(std::string_view head,
                                std::string_view brackets) {
  std::size_t i = byte_order_mark(head);
  // Passes blanks and this byte, or says no.
  const auto pass = [&](char wanted) {
    while (i < head.size() && is_json_space(head[i])) ++i;
    if (i == head.size() || head[i] != wanted) return false;
    ++i;
    return true;
  };
  for (const char bracket : brackets) {
    if (!pass(bracket)) return {};
    while (&bracket != brackets.data() && bracket == '[' && pass(']')) {
      if (!pass(',') || !pass('[')) return {};
    }
  }
  if (!pass('"')) return {};
  const std::size_t start = i;
  const std::size_t quote = head.find('"', start);
  if (quote == std::string_view::npos) return {};
  i = quote + 1;
  if (!pass(':')) return {};
  return head.substr(start, quote - start);
}

}  // namespace awdit
