#include "format/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cstring>
#include <utility>

#include "base/utf8.h"
#include "format/json_string.h"
#include "format/text_place.h"

namespace awdit {
namespace {

bool is_json_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
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
  for (const char* p = inside.data(); p != inside.data() + inside.size();) {
    if (*p != '\\' && static_cast<unsigned char>(*p) < 0x80) {
      ++p;
      continue;
    }
    const char* const end = append_json_character(p, ignored).end;
    if (end == nullptr) return bad_text(p);
    p = end;
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
  for (const char* p = inside.data(); p != inside.data() + inside.size();) {
    const char* const end = append_json_character(p, text).end;
    if (end == nullptr) return bad_text(p);
    p = end;
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
