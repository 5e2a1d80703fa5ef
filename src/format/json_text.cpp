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

// Appends what the first character or escape of `rest` means; its length, 0 if
// it is none.
std::size_t piece_of_text(std::string_view rest, std::string& text) {
  if (rest.front() == '\\') return resolve(rest, text);
  const std::size_t length = utf8_sequence(rest.substr(0, 4));
  text += rest.substr(0, length);
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
  for (;;) {
    // A value.
    const char c = *at();
    if (c == '[' || c == '{') {
      if (depth == kDeepest) {
        return fail(
            p_, fmt::format("brackets are nested more than {} deep", kDeepest));
      }
      objects[depth++] = c == '{';
      ++p_;
      if (*at() != (c == '{' ? '}' : ']')) {
        if (c == '{' && !skip_name()) return false;
        continue;
      }
    } else if (!skip_scalar(c)) {
      return false;
    }
    if (limit_ != nullptr && p_ > limit_) {
      return fail(p_, "this value reaches too far");
    }
    // What may follow it, up to where the next one begins.
    for (;;) {
      if (depth == 0) return true;
      const bool object = objects[depth - 1];
      const char next = *at();
      if (next == ',') break;
      if (next != (object ? '}' : ']')) {
        return expected(object ? "\",\" or \"}\"" : "\",\" or \"]\"");
      }
      ++p_;
      --depth;
    }
    ++p_;
    if (objects[depth - 1] && !skip_name()) return false;
  }
}

bool JsonReader::skip_name() {
  return skip_string("a name between quotes") && pass(':', "\":\"");
}

bool JsonReader::skip_string(std::string_view what) {
  std::string_view inside;
  if (!string(inside, what)) return false;
  std::string ignored;
  for (std::size_t i = 0; i < inside.size();) {
    const auto byte = static_cast<unsigned char>(inside[i]);
    if (byte != '\\' && byte < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = piece_of_text(inside.substr(i), ignored);
    if (length == 0) return bad_text(inside.data() + i);
    i += length;
  }
  return true;
}

// A string, a number (RFC 8259, 6) or a word.
bool JsonReader::skip_scalar(char first) {
  if (first == '"') return skip_string("a string");
  if (first == 't' || first == 'f' || first == 'n') {
    return word("true") || word("false") || word("null") || expected("a value");
  }
  const char* p = p_;
  const auto digits = [&] {
    const char* const start = p;
    while (*p >= '0' && *p <= '9') ++p;
    return p != start;
  };
  if (*p == '-') ++p;
  const bool zero = *p == '0';
  const char* const whole = p;
  bool number = digits() && (!zero || p == whole + 1);
  if (number && *p == '.') {
    ++p;
    number = digits();
  }
  if (number && (*p == 'e' || *p == 'E')) {
    ++p;
    if (*p == '+' || *p == '-') ++p;
    number = digits();
  }
  if (!number || !ends_token(*p)) return expected("a value");
  p_ = p;
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
    const std::size_t length = piece_of_text(inside.substr(i), text);
    if (length == 0) return bad_text(inside.data() + i);
    i += length;
  }
  return true;
}

bool JsonReader::bad_text(const char* place) {
  return fail(place, *place == '\\'
                         ? "JSON knows no such escape"
                         : "this is not UTF-8, the encoding of JSON");
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

std::size_t json_object_head(std::string_view bytes) {
  constexpr std::size_t kLongest = 64;
  bytes = bytes.substr(0, kLongest);
  if (!bytes.starts_with('{')) return 0;
  std::size_t quote = 1;
  while (quote < bytes.size() && is_json_space(bytes[quote])) ++quote;
  if (bytes.substr(quote, 1) != "\"") return 0;
  return bytes.find('"', quote + 1) + 1;
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
