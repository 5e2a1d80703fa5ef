#include "format/json_line.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "base/utf8.h"
#include "format/text_place.h"

namespace awdit {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// May stand for itself in a string: printable ASCII but '"' and '\'.
bool is_plain(char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; }

void append_utf8(std::string& text, unsigned point) {
  const auto add = [&](unsigned byte) { text += static_cast<char>(byte); };
  if (point < 0x80) {
    add(point);
  } else if (point < 0x800) {
    add(0xC0 | (point >> 6));
    add(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    add(0xE0 | (point >> 12));
    add(0x80 | ((point >> 6) & 0x3F));
    add(0x80 | (point & 0x3F));
  } else {
    add(0xF0 | (point >> 18));
    add(0x80 | ((point >> 12) & 0x3F));
    add(0x80 | ((point >> 6) & 0x3F));
    add(0x80 | (point & 0x3F));
  }
}

// The length of the sequence at p; reads no further than the first byte that
// does not continue it.
std::size_t sequence(const char* p) {
  std::size_t size = 1;
  while (size < 4 && (static_cast<unsigned char>(p[size]) & 0xC0) == 0x80) {
    ++size;
  }
  return utf8_sequence({p, size});
}

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
  for (;;) {
    if (is_plain(*p) || *p == 0x7F) {
      scratch_ += *p++;
    } else if (*p == '"') {
      text = scratch_;
      return p + 1;
    } else if (*p == '\\') {
      p = escape(p + 1);
      if (p == nullptr) return nullptr;
    } else if (static_cast<unsigned char>(*p) < 0x20) {
      return *p == '\n' || *p == '\r'
                 ? expected(p, "the closing quote of a text")
                 : fail(p, "control characters must be escaped in a text");
    } else {
      const std::size_t size = sequence(p);
      if (size == 0) return fail(p, "the text is not UTF-8");
      scratch_.append(p, size);
      p += size;
    }
  }
}

const char* JsonLine::hex(const char* p, unsigned& unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i, ++p) {
    const char lower = static_cast<char>(*p | 0x20);
    if (is_digit(*p)) {
      unit = unit * 16 + static_cast<unsigned>(*p - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      unit = unit * 16 + static_cast<unsigned>(lower - 'a' + 10);
    } else {
      return expected(p, "four hexadecimal digits");
    }
  }
  return p;
}

const char* JsonLine::escape(const char* p) {
  switch (*p) {
    case '"':
    case '\\':
    case '/':
      scratch_ += *p;
      return p + 1;
    case 'b':
      scratch_ += '\b';
      return p + 1;
    case 'f':
      scratch_ += '\f';
      return p + 1;
    case 'n':
      scratch_ += '\n';
      return p + 1;
    case 'r':
      scratch_ += '\r';
      return p + 1;
    case 't':
      scratch_ += '\t';
      return p + 1;
    case 'u':
      break;
    default:
      return expected(p, "an escaped character");
  }
  const char* const start = p - 1;
  unsigned unit = 0;
  p = hex(p + 1, unit);
  if (p == nullptr) return nullptr;
  if (unit >= 0xD800 && unit < 0xDC00) {  // the first half of a pair
    unsigned low = 0;
    if (*p != '\\') return expected(p, "the second half of a surrogate pair");
    if (p[1] != 'u') {
      return expected(p + 1, "the second half of a surrogate pair");
    }
    p = hex(p + 2, low);
    if (p == nullptr) return nullptr;
    if (low < 0xDC00 || low > 0xDFFF) {
      return fail(start, "half of a surrogate pair is no character");
    }
    unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
  } else if (unit >= 0xDC00 && unit <= 0xDFFF) {
    return fail(start, "half of a surrogate pair is no character");
  }
  append_utf8(scratch_, unit);
  return p;
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
  // Nineteen digits cannot overflow.
  for (const char* const safe = p + 19; is_digit(*p) && p < safe; ++p) {
    value = value * 10 + static_cast<std::uint64_t>(*p - '0');
  }
  for (; is_digit(*p); ++p) {
    const auto digit = static_cast<std::uint64_t>(*p - '0');
    if (value > (UINT64_MAX - digit) / 10) {
      return fail(start, "the number does not fit into 64 bits");
    }
    value = value * 10 + digit;
  }
  if (*p == '.' || *p == 'e' || *p == 'E') return expected(start, wanted);
  if (negative && value > std::uint64_t{1} << 63) {
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
