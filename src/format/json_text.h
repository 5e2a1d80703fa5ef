// Reading JSON (RFC 8259) forwards, token by token, without a tree and without
// an index. Private to format/.
//
//   JsonReader json(text);
//   if (!json.open('[', "an array of sessions")) return json.error();
//   while (json.next(']')) {
//     if (!session(json)) return json.error();
//   }
//   if (json.failed()) return json.error();
//
// Idea: a history's JSON has few shapes, and its reader knows which one comes
// next, so each token is looked at once, where it stands. An index of all
// tokens (simdjson's first stage) takes more memory than the text, limits it to
// 4 GB and must be complete before reading begins; without it, threads can
// begin anywhere (format/pieces.h). Speed alone decides nothing: simdjson's
// on-demand parser is somewhat faster on one shape, slower on another
// (bench/json_kernels.cpp).
// Invariant: a zero byte follows the text, and no loop passes it; eight bytes
// behind any place may be read. After the first mistake every function returns
// false and the place stays.
// Nothing recurses; values that nobody wants are skipped up to kDeepest.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/buffer.h"
#include "base/input.h"
#include "base/result.h"
#include "format/leading_digits.h"
#include "history/history.h"

namespace awdit {

// What is wrong, and where; for those who may not want an Error after all.
struct JsonMistake {
  const char* at = nullptr;      // nullptr: nothing is wrong
  std::string_view wanted = {};  // "expected WANTED, found ..."
  std::string message = {};      // instead of it, if not empty
};

// The bytes of an input with a zero behind them, and errors about them.
class JsonText {
 public:
  // `hint` closes every error; it and the input must outlive this.
  JsonText(const Input& input, std::string_view hint);

  // Without a byte order mark.
  std::string_view bytes() const { return bytes_; }
  const Input& input() const { return input_; }
  // Whether something stands below the first line, so that lines are places.
  bool has_lines() const;
  // `at` is a place in bytes(), or their end.
  Error error(const char* at, std::string message) const;
  Error error(const JsonMistake& mistake) const;

 private:
  const Input& input_;
  std::string_view hint_;
  std::optional<Buffer> copy_;  // of inputs without padding
  std::size_t mark_;            // length of the byte order mark
  std::string_view bytes_;
};

class JsonReader {
 public:
  static constexpr std::size_t kDeepest = 1024;

  explicit JsonReader(const JsonText& text)
      : JsonReader(text, text.bytes().data()) {}
  // Begins at `from`, as if what stands before had been read.
  JsonReader(const JsonText& text, const char* from)
      : text_(&text), p_(from), released_(offset(from)) {}
  // Of lines, see enter_line, which hold whatever somebody noted: their values
  // may be nested at will, and whoever reads them tells the mistakes.
  JsonReader() = default;
  // Values that reach beyond `place` are not skipped but a mistake: whoever
  // only guesses what he reads should not read on for long.
  void skip_no_further_than(const char* place) { limit_ = place; }

  // The next token; of the end, the zero byte.
  const char* at() {
    while (static_cast<unsigned char>(*p_) <= ' ' && is_space(*p_)) ++p_;
    return p_;
  }
  // How many bytes have been read.
  std::size_t passed() const { return offset(p_); }
  // Goes on at `place`.
  void move_to(const char* place) { p_ = place; }
  // Goes on at `place`, up to the end of its line: a newline is no blank any
  // more, so that nothing is read beyond it.
  void enter_line(const char* place) {
    p_ = place;
    line_end_ = '\0';
  }
  // REQUIRES: enter_line. Whether nothing but blanks is left of the line.
  bool at_line_end() { return *at() == '\n' || at_end(); }
  bool at_end() {
    return text_ != nullptr &&
           at() == text_->bytes().data() + text_->bytes().size();
  }

  // Gives back the pages of the file that were read, now and then; call it
  // between transactions.
  void release_passed() {
    constexpr std::size_t kBite = std::size_t{4} << 20;
    const std::size_t here = offset(p_);
    if (here < released_ + kBite) return;
    text_->input().release(released_, here);
    released_ = here;
  }

  // -- arrays and objects -----------------------------------------------------
  // Enters one. `what` says what is expected, for the message; it must be a
  // constant.
  bool open(char bracket, std::string_view what) {
    if (*at() != bracket) return expected(what);
    ++p_;
    fresh_ = true;
    return true;
  }
  // Whether another element follows; its comma is passed. Otherwise the bracket
  // is passed, or there is a mistake.
  bool next(char close) {
    const char c = *at();
    if (c == close) {
      ++p_;
      fresh_ = false;
      return false;
    }
    if (fresh_) {
      fresh_ = false;
      return true;
    }
    if (c != ',') {
      return expected(close == ']' ? "\",\" or \"]\"" : "\",\" or \"}\"");
    }
    ++p_;
    return true;
  }
  // In an array of that many elements: the comma between two of them, and the
  // bracket behind the last.
  bool comma() { return pass(',', "\",\""); }
  bool colon() { return pass(':', "\":\""); }
  bool close(char bracket) {
    return close(bracket, bracket == ']' ? "\"]\"" : "\"}\"");
  }
  bool close(char bracket, std::string_view what) {
    fresh_ = false;
    return pass(bracket, what);
  }
  // Whether another field follows; its name and colon are passed. Names are as
  // they stand, escapes included: nobody writes ours with some.
  bool field(std::string_view& name) {
    return next('}') && string(name, name_wanted()) && colon();
  }
  // Passes a value of any shape, whose grammar is checked like that of others;
  // appends it to `compact`, if there is one, without blanks between tokens.
  bool skip(std::string* compact = nullptr);

  // -- values -----------------------------------------------------------------
  // An integer of 64 bits, signed or not; false and no mistake if there is
  // none: then the place is still that of the token.
  bool integer(Atom& atom) {
    const char* const end = number(at(), atom);
    if (end == nullptr || !ends_token(*end)) return false;
    p_ = end;
    return true;
  }
  // Likewise, of 64 bits with a sign.
  bool signed_integer(Atom& atom) {
    const char* const token = at();
    if (integer(atom) && atom.kind == Atom::Kind::integer) return true;
    p_ = token;
    return false;
  }
  // Likewise, perhaps between quotes.
  bool quotable_integer(Atom& atom) {
    if (*at() != '"') return signed_integer(atom);
    const char* const end = number(p_ + 1, atom);
    if (end == nullptr || *end != '"' || atom.kind != Atom::Kind::integer) {
      return false;
    }
    p_ = end + 1;
    return true;
  }
  // The end of the integer at p, or nullptr: none, or it does not fit into 64
  // bits, signed or not. Eight bytes at p must be there to be read.
  static const char* number(const char* p, Atom& atom) {
    const bool negative = *p == '-';
    if (negative) ++p;
    const char* const digits = p;
    std::uint64_t value = 0;
    p += leading_digits(eight_bytes(p), value);
    if (p == digits + 8) {
      // Times have nineteen.
      std::uint64_t more = 0;
      if (leading_digits(eight_bytes(p), more) == 8) {
        value = value * 100'000'000 + more;
        p += 8;
      }
      for (;; ++p) {
        const unsigned digit = static_cast<unsigned char>(*p) - unsigned{'0'};
        if (digit > 9) break;
        if (p - digits >= 19 && value > (UINT64_MAX - digit) / 10) {
          return nullptr;
        }
        value = value * 10 + digit;
      }
    }
    if (p == digits || (*digits == '0' && p != digits + 1)) return nullptr;
    if (!negative) {
      atom = Atom::natural(value);
      return p;
    }
    if (value > std::uint64_t{1} << 63) return nullptr;
    atom = {~value + 1, Atom::Kind::integer};
    return p;
  }
  // `null`, `true` or `false`; false and no mistake if it is not this one.
  bool word(std::string_view word) {
    if (std::memcmp(at(), word.data(), word.size()) != 0 ||
        !ends_token(p_[word.size()])) {
      return false;
    }
    p_ += word.size();
    return true;
  }
  // The word must be there.
  bool word(std::string_view word, std::string_view what);
  bool boolean(bool& flag);
  // How many of eight bytes, the first one lowest, come before the first that
  // is a quote, a backslash or no printable ASCII.
  static unsigned plain_ascii(std::uint64_t word) {
    const std::uint64_t odd = (zeros(word ^ (0x7F * kOnes)) | word) & kHighs;
    return std::min(plain_bytes(word),
                    static_cast<unsigned>(std::countr_zero(odd)) / 8);
  }
  // What is between quotes, as it is written there.
  bool string(std::string_view& inside, std::string_view what) {
    if (*at() != '"') return expected(what);
    const char* const start = p_ + 1;
    const char* p = start;
    for (;;) {
      p += plain_bytes(eight_bytes(p));
      if (*p == '"') break;
      if (*p == '\\') ++p;
      if (static_cast<unsigned char>(*p) < ' ') return unfinished(p);
      ++p;
    }
    inside = {start, static_cast<std::size_t>(p - start)};
    p_ = p + 1;
    return true;
  }
  // Likewise, with escapes resolved; must be UTF-8. It may lie in here until
  // the next call.
  bool text(std::string_view& text, std::string_view what) {
    if (*at() != '"') return expected(what);
    const char* const start = p_ + 1;
    const char* p = start;
    while (is_plain(*p)) ++p;
    if (*p != '"') return careful_text(start, p, text);
    text = {start, static_cast<std::size_t>(p - start)};
    p_ = p + 1;
    return true;
  }

  // -- mistakes ---------------------------------------------------------------
  // "expected <what>, found ...", where the reader stands; returns false.
  bool expected(std::string_view what) { return expected_at(p_, what); }
  // Likewise, at a token that was passed.
  bool expected_at(const char* place, std::string_view what) {
    return fail({place, what});
  }
  // That a field of this name stands here a second time.
  bool twice(std::string_view name) {
    return fail(at(), '"' + std::string(name) + "\" stands here twice");
  }
  // Another mistake, at a token.
  bool fail(const char* place, std::string message) {
    return fail({place, {}, std::move(message)});
  }
  bool failed() const { return mistake_.at != nullptr; }
  const JsonMistake& mistake() const { return mistake_; }
  // REQUIRES: failed().
  Error error() const { return text_->error(mistake_); }

 private:
  bool is_space(char c) const {
    return c == ' ' || c == '\t' || c == '\r' || (c == '\n' && c == line_end_);
  }
  static bool ends_token(char c) {
    return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' ||
           c == '\r' || c == '\t' || c == '\0';
  }
  static constexpr std::uint64_t kOnes = kEightOnes;
  static constexpr std::uint64_t kHighs = 0x80 * kOnes;
  static std::uint64_t zeros(std::uint64_t x) { return (x - kOnes) & ~x; }
  // How many bytes come before the first quote, backslash or control character;
  // 8 if there is none. A mark above the lowest one may be wrong: a borrow.
  static unsigned plain_bytes(std::uint64_t word) {
    const std::uint64_t marks =
        (zeros(word ^ ('"' * kOnes)) | zeros(word ^ ('\\' * kOnes)) |
         ((word - ' ' * kOnes) & ~word)) &
        kHighs;
    return static_cast<unsigned>(std::countr_zero(marks)) / 8;
  }
  bool pass(char c, std::string_view what) {
    if (*at() != c) return expected(what);
    ++p_;
    return true;
  }
  std::size_t offset(const char* place) const {
    return static_cast<std::size_t>(place - text_->bytes().data());
  }
  // May stand for itself in a text: printable ASCII but '"' and '\'.
  static bool is_plain(char c) {
    return c >= ' ' && c < 0x7F && c != '"' && c != '\\';
  }
  std::string_view name_wanted() const {
    return text_ == nullptr ? "a text in quotes" : "a name between quotes";
  }
  bool careful_text(const char* start, const char* p, std::string_view& text);
  bool skip_name(std::string* compact);
  bool skip_scalar(char first);
  bool skip_string();
  bool unfinished(const char* place);
  bool broken_token(const char* end, std::string_view what);
  bool bad_text(const char* place);
  bool fail(JsonMistake mistake);

  const JsonText* text_ = nullptr;  // nullptr: lines of somebody
  const char* p_ = nullptr;
  char line_end_ = '\n';  // '\0': a newline is no blank
  bool fresh_ = false;    // an array or object was just entered
  std::size_t released_ = 0;
  const char* limit_ = nullptr;  // nullptr: none
  JsonMistake mistake_;
  std::string scratch_;  // text() with escapes
  std::string open_;     // closing brackets that skip() has to pass
};

// Counts lines up to places that come in ascending order. Newlines are few, so
// each is looked for on its own.
class LineCounter {
 public:
  explicit LineCounter(const char* start) : at_(start) {}
  // 0 for the first line.
  std::uint32_t line_of(const char* place) {
    while (at_ < place) {
      const void* const newline =
          std::memchr(at_, '\n', static_cast<std::size_t>(place - at_));
      if (newline == nullptr) break;
      at_ = static_cast<const char*>(newline) + 1;
      ++line_;
    }
    at_ = place;
    return line_;
  }

 private:
  const char* at_;
  std::uint32_t line_ = 0;
};

// Of an object that begins at `bytes`, how many bytes it takes up to the end of
// its first name; 0 if that is not near. Objects of one kind begin alike.
std::size_t json_object_head(std::string_view bytes);

// The first key behind these opening brackets ("{", "[{" or "[[{") at the
// beginning of the text, if a colon follows it; "" otherwise. Empty sessions in
// front are skipped: [[], [], [{"key": ...
std::string_view first_json_key(std::string_view head,
                                std::string_view brackets);

}  // namespace awdit
