#include "format/json_line.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "base/utf8.h"
#include "format/json_string.h"
#include "format/leading_digits.h"
#include "format/text_place.h"

namespace awdit {
namespace {

// May stand for itself in a string: printable ASCII but '"' and '\'.
bool is_plain(char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; }

}  // namespace

const char* JsonLine::string(const char* p, std::string_view& text) {
  if (*p != '"') return expected(p, "a text in quotes");
  const char* const start = ++p;
  while (is_plain(*p)) ++p;
  if (*p != '"') return careful_string(start, p, text);
  text = {start, static_cast<std::size_t>(p - start)};
  return p + 1;
}

// Escapes and bytes beyond ASCII.
const char* JsonLine::careful_string(const char* start, const char* p,
                                     std::string_view& text) {
  scratch_.assign(start, p);
  while (*p != '"') {
    if (static_cast<unsigned char>(*p) < 0x20) {
      return *p == '\n' || *p == '\r'
                 ? expected(p, "the closing quote of a text")
                 : fail(p, "control characters must be escaped in a text");
    }
    const JsonCharacter found = append_json_character(p, scratch_);
    if (found.end == nullptr) {
      mistake = {found.at, found.wanted, found.message};
      return nullptr;
    }
    p = found.end;
  }
  text = scratch_;
  return p + 1;
}

const char* JsonLine::integer(const char* p, Atom& atom, const char* wanted) {
  const char* const start = p;
  const bool negative = *p == '-';
  p += negative;
  if (!is_digit(*p)) return expected(p, wanted);
  if (*p == '0' && is_digit(p[1])) {
    return fail(start, "JSON numbers have no leading zeros");
  }
  std::uint64_t value = 0;
  p = all_digits(p, value);
  if (p != nullptr && (*p == '.' || *p == 'e' || *p == 'E')) {
    return expected(start, wanted);
  }
  if (p == nullptr || (negative && value > std::uint64_t{1} << 63)) {
    return fail(start, "the number does not fit into 64 bits");
  }
  atom = negative ? Atom{0 - value, Atom::Kind::integer} : Atom::natural(value);
  return p;
}

const char* JsonLine::literal(const char* p, std::string_view word,
                              const char* wanted) {
  const char* const start = p;
  for (const char c : word) {
    // A line that ends inside the word ends too early.
    if (*p != c) return expected(*p == '\n' ? p : start, wanted);
    ++p;
  }
  return p;
}

const char* JsonLine::number(const char* p) {
  const auto digits = [&] {
    if (!is_digit(*p)) return false;
    while (is_digit(*p)) ++p;
    return true;
  };
  p += *p == '-';
  if (*p == '0') {
    ++p;
  } else if (!digits()) {
    return expected(p, "a JSON value");
  }
  if (*p == '.') {
    ++p;
    if (!digits()) return expected(p, "a digit");
  }
  if (*p == 'e' || *p == 'E') {
    ++p;
    if (*p == '+' || *p == '-') ++p;
    if (!digits()) return expected(p, "a digit");
  }
  return p;
}

const char* JsonLine::scalar(const char* p) {
  std::string_view ignored;
  switch (*p) {
    case '"':
      return string(p, ignored);
    case 't':
      return literal(p, "true", "a JSON value");
    case 'f':
      return literal(p, "false", "a JSON value");
    case 'n':
      return literal(p, "null", "a JSON value");
    default:
      return number(p);
  }
}

const char* JsonLine::value(const char* p, std::string& compact) {
  compact.clear();
  open_.clear();
  bool may_close = false;  // right behind an opening bracket
  for (;;) {
    p = skip_blanks(p);
    // The name of a member, if one is due.
    if (!open_.empty() && open_.back() == '}' && *p != '}') {
      const char* const start = p;
      std::string_view ignored;
      p = string(p, ignored);
      if (p == nullptr) return nullptr;
      compact.append(start, p);
      p = punctuation(p, ':', "\":\"");
      if (p == nullptr) return nullptr;
      compact += ':';
      may_close = false;
    }
    if (*p == '{' || *p == '[') {
      compact += *p;
      open_ += *p == '{' ? '}' : ']';
      may_close = true;
      ++p;
      continue;
    }
    if (!may_close || *p != open_.back()) {
      const char* const start = p;
      p = scalar(p);
      if (p == nullptr) return nullptr;
      compact.append(start, p);
    }
    may_close = false;
    // Whatever ends here, up to the next comma.
    for (;;) {
      if (open_.empty()) return p;
      p = skip_blanks(p);
      if (*p == ',') {
        compact += *p++;
        break;
      }
      if (*p != open_.back()) {
        return expected(
            p, open_.back() == '}' ? "\",\" or \"}\"" : "\",\" or \"]\"");
      }
      compact += *p++;
      open_.pop_back();
    }
    p = skip_blanks(p);
    if (*p == '}') return expected(p, "a text in quotes");
  }
}

std::string JsonLine::found(std::string_view bytes, std::size_t offset) {
  if (offset < bytes.size()) {
    if (bytes[offset] == '"') {
      const std::string_view text = bytes.substr(offset, 26);
      const std::size_t end = text.find_first_of("\"\\\n", 1);
      if (end == std::string_view::npos || text[end] != '"') return "a text";
      return visible(text.substr(0, end + 1));
    }
    if (bytes[offset] == '[') return "a list";
    if (bytes[offset] == '{') return "an object";
  }
  return found_at(bytes, offset);
}

}  // namespace awdit
