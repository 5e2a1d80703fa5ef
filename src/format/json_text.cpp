#include "format/json_text.h"

#include <fmt/format.h>

#include <algorithm>
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
    copy_.emplace(bytes_);  // with zeros behind it
    bytes_ = copy_->bytes();
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

Error JsonText::error(const JsonMistake& mistake) const {
  if (!mistake.message.empty()) return error(mistake.at, mistake.message);
  const std::string_view rest =
      bytes_.substr(static_cast<std::size_t>(mistake.at - bytes_.data()));
  std::string found = found_at(rest, 0);
  if (rest.starts_with('"')) {
    constexpr std::size_t kShown = 24;
    const std::size_t end = rest.find('"', 1);
    const std::string shown =
        visible(rest.substr(1, std::min(end, kShown) - 1));
    found =
        fmt::format("the string \"{}{}\"", shown, end > kShown ? "..." : "");
  }
  return error(mistake.at,
               fmt::format("expected {}, found {}", mistake.wanted, found));
}

bool JsonReader::skip(std::string* compact) {
  const std::size_t deepest = text_ == nullptr ? SIZE_MAX : kDeepest;
  const auto keep = [&](const char* from) {
    if (compact != nullptr) compact->append(from, p_);
  };
  open_.clear();
  for (;;) {
    // A value.
    const char* from = at();
    const char c = *from;
    if (c == '[' || c == '{') {
      if (open_.size() == deepest) {
        return fail(
            p_, fmt::format("brackets are nested more than {} deep", kDeepest));
      }
      open_ += c == '{' ? '}' : ']';
      ++p_;
      keep(from);
      if (*at() != open_.back()) {
        if (c == '{' && !skip_name(compact)) return false;
        continue;
      }
    } else {
      if (!skip_scalar(c)) return false;
      keep(from);
    }
    if (limit_ != nullptr && p_ > limit_) {
      return fail(p_, "this value reaches too far");
    }
    // What may follow it, up to where the next one begins.
    for (;;) {
      if (open_.empty()) return true;
      from = at();
      if (*from == ',') break;
      if (*from != open_.back()) {
        return expected(open_.back() == '}' ? "\",\" or \"}\""
                                            : "\",\" or \"]\"");
      }
      ++p_;
      keep(from);
      open_.pop_back();
    }
    ++p_;
    keep(from);
    if (open_.back() == '}' && !skip_name(compact)) return false;
  }
}

bool JsonReader::skip_name(std::string* compact) {
  const char* const from = at();
  if (*from != '"') return expected(name_wanted());
  if (!skip_string()) return false;
  if (compact != nullptr) compact->append(from, p_).append(":");
  return colon();
}

// REQUIRES: there is one.
bool JsonReader::skip_string() {
  std::string_view ignored;
  if (text_ == nullptr) return text(ignored, "");
  const char* const start = p_;
  if (!string(ignored, "")) return false;
  p_ = start;
  return text(ignored, "");
}

// A string, a number (RFC 8259, 6) or a word.
bool JsonReader::skip_scalar(char first) {
  const std::string_view what = text_ == nullptr ? "a JSON value" : "a value";
  switch (first) {
    case '"':
      return skip_string();
    case 't':
      return word("true", what);
    case 'f':
      return word("false", what);
    case 'n':
      return word("null", what);
    default:
      break;
  }
  const char* p = p_;
  const auto digits = [&] {
    const char* const start = p;
    while (is_digit(*p)) ++p;
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
  if (!number || !ends_token(*p)) return broken_token(p, what);
  p_ = p;
  return true;
}

bool JsonReader::word(std::string_view word, std::string_view what) {
  if (this->word(word)) return true;
  const char* p = p_;
  for (const char c : word) {
    if (*p != c) break;
    ++p;
  }
  return broken_token(p, what);
}

// The token ends at `end`. Text that ends inside of a token is to blame where
// it ends: that is how a recorder which was stopped leaves it.
bool JsonReader::broken_token(const char* end, std::string_view what) {
  return expected_at(*end == '\n' ? end : p_, what);
}

bool JsonReader::boolean(bool& flag) {
  flag = word("true");
  return flag || word("false") || expected("true or false");
}

// Escapes and bytes beyond ASCII, from p on.
bool JsonReader::careful_text(const char* start, const char* p,
                              std::string_view& text) {
  scratch_.assign(start, p);
  while (*p != '"') {
    if (static_cast<unsigned char>(*p) < ' ') {
      return *p == '\n' || *p == '\r'
                 ? expected_at(p, "the closing quote of a text")
                 : fail(p, "control characters must be escaped in a text");
    }
    const JsonCharacter found = append_json_character(p, scratch_);
    if (found.end == nullptr) {
      return text_ == nullptr ? fail({found.at, found.wanted, found.message})
                              : bad_text(p);
    }
    p = found.end;
  }
  text = scratch_;
  p_ = p + 1;
  return true;
}

bool JsonReader::bad_text(const char* place) {
  return fail(place, *place == '\\'
                         ? "JSON knows no such escape"
                         : "this is not UTF-8, the encoding of JSON");
}

bool JsonReader::fail(JsonMistake mistake) {
  if (failed()) return false;
  p_ = mistake.at;
  mistake_ = std::move(mistake);
  return false;
}

bool JsonReader::unfinished(const char* place) {
  if (*place == '\n' || offset(place) >= text_->bytes().size()) {
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
