// A reader of EDN (extensible data notation) that hands out one form after the
// other: no tree, no recursion, memory only for the depth of brackets.
//
//   switch (reader.next()) {
//     case EdnReader::Form::map: reader.enter(); ...
//     case EdnReader::Form::keyword: use(reader.token()); ...
//
// `next` skips blanks (commas are blanks), comments and discarded forms (#_)
// and says what it is; that decides how it is consumed.
// Private to format/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace awdit {

class EdnReader {
 public:
  enum class Form : std::uint8_t {
    end,        // of the bytes
    map,        // {
    vector,     // [
    list,       // (
    set,        // #{
    close,      // } ] )
    string,     // "..."
    character,  // \a
    keyword,    // :a
    word,       // a symbol, a number, nil, true, false, ##NaN
    tag,        // #name; the form that it is about follows
    broken,     // see problem()
  };

  explicit EdnReader(std::string_view bytes, std::size_t at = 0)
      : begin_(bytes.data()),
        at_(bytes.data() + at),
        end_(bytes.data() + bytes.size()) {}

  std::size_t at() const { return static_cast<std::size_t>(at_ - begin_); }
  void move_to(std::size_t at) { at_ = begin_ + at; }
  // How many bytes are left.
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  std::string_view since(std::size_t start) const {
    return {begin_ + start, at() - start};
  }
  // What is wrong at at(), after Form::broken or a `false`.
  const char* problem() const { return problem_; }

  // What comes next; at() is its first byte.
  Form next() {
    const char* p = at_;  // a local: reading bytes might change at_ otherwise
    while (p != end_ && is(*p, kBlank)) ++p;
    at_ = p;
    if (p == end_) return Form::end;
    const Form form = kForms[static_cast<unsigned char>(*p)];
    return form == Form::tag || form == Form::broken ? unusual() : form;
  }
  // The same, past tags: where a tag changes nothing.
  Form next_untagged() {
    Form form = next();
    while (form == Form::tag) {
      token();
      form = next();
    }
    return form;
  }

  // Consumes the bracket that `next` found.
  void enter() { at_ += *at_ == '#' && left() > 1 ? 2 : 1; }
  // The bracket that `next` found: one of } ] ).
  char closer() const { return *at_; }

  // Consumes the keyword, word, tag or character that `next` found.
  std::string_view token() {
    const char* const start = at_;
    const char* p = start + 1;
    if (*start == '\\' && p != end_) ++p;
    while (p != end_ && is(*p, kInToken)) ++p;
    at_ = p;
    return {start, static_cast<std::size_t>(p - start)};
  }
  // Consumes the token that `next` found if it is this one.
  bool take(std::string_view wanted) {
    if (left() < wanted.size() ||
        std::memcmp(at_, wanted.data(), wanted.size()) != 0 ||
        (left() > wanted.size() && is(at_[wanted.size()], kInToken))) {
      return false;
    }
    at_ += wanted.size();
    return true;
  }
  // Consumes a word if it is an integer of at most 18 digits.
  bool small_integer(std::int64_t& value) {
    const char* p = at_;
    const bool negative = p != end_ && *p == '-';
    if (negative) ++p;
    const char* const first = p;
    std::uint64_t v = 0;
    for (; p != end_; ++p) {
      const unsigned digit = static_cast<unsigned char>(*p) - unsigned{'0'};
      if (digit > 9) break;
      v = v * 10 + digit;
    }
    // A leading zero makes an octal number to some, so it makes none here.
    if (p == first || p - first > 18 || (*first == '0' && p - first > 1) ||
        (p != end_ && is(*p, kInToken))) {
      return false;
    }
    value = static_cast<std::int64_t>(negative ? ~v + 1 : v);
    at_ = p;
    return true;
  }
  // Consumes the string that `next` found; gives it as it is written, quotes
  // included. Returns false where it does not end.
  bool string(std::string_view& literal);
  // Consumes one whole form, its tags included. Returns false where there is
  // none or where it does not end.
  bool skip();

 private:
  // What a byte may be; bits.
  static constexpr std::uint8_t kBlank = 1;     // a blank or a comma
  static constexpr std::uint8_t kInToken = 2;   // a later byte of a token
  static constexpr std::uint8_t kHarmless = 4;  // of no interest to skip()

  static constexpr std::uint8_t bits_of(unsigned c) {
    if (c == ' ' || c == ',' || (c >= '\t' && c <= '\r')) {
      return kBlank | kHarmless;
    }
    for (const char special : {'{', '}', '[', ']', '(', ')', '"', ';', '\\'}) {
      if (c == static_cast<unsigned char>(special)) return 0;
    }
    return c > ' ' && c != 0x7F ? kInToken | kHarmless : kHarmless;
  }
  static constexpr Form form_of(unsigned c) {
    switch (c) {
      case '{':
        return Form::map;
      case '[':
        return Form::vector;
      case '(':
        return Form::list;
      case '}':
      case ']':
      case ')':
        return Form::close;
      case '"':
        return Form::string;
      case '\\':
        return Form::character;
      case ':':
        return Form::keyword;
      case '#':
        return Form::tag;
      default:
        return bits_of(c) & kInToken ? Form::word : Form::broken;
    }
  }
  template <auto kFunction>
  static constexpr auto table() {
    std::array<decltype(kFunction(0)), 256> result{};
    for (unsigned c = 0; c < 256; ++c) result[c] = kFunction(c);
    return result;
  }
  static const std::array<std::uint8_t, 256> kBits;
  static const std::array<Form, 256> kForms;

  static bool is(char c, std::uint8_t bit) {
    return (kBits[static_cast<unsigned char>(c)] & bit) != 0;
  }
  Form unusual();
  bool skip_brackets();
  void skip_blanks();
  bool fail(const char* problem) {
    problem_ = problem;
    return false;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* problem_ = "";
  std::string closers_;  // of the brackets that skip() is in
};

inline constexpr std::array<std::uint8_t, 256> EdnReader::kBits =
    table<bits_of>();
inline constexpr std::array<EdnReader::Form, 256> EdnReader::kForms =
    table<form_of>();

}  // namespace awdit
