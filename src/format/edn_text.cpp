// Texts of EDN forms.
//
// Idea: call a text taken if it is the text of a form that is no string. A
// string is its own text unless that is taken; then its literal is its text,
// and is taken thereby. So a text is written as a form if it is taken, and as a
// string if not, and both ways lead back.
// Cost: linear in the text, times the depth of quotes within quotes, which is
// logarithmic because each level doubles the backslashes.
#include "format/edn_text.h"

#include <charconv>
#include <vector>

#include "format/edn_string.h"
#include "format/leading_digits.h"

namespace awdit {
namespace {

using Form = EdnReader::Form;

constexpr const char* kNoWord = "this is neither a number nor a symbol of EDN";

// Whether `name` may name a symbol, a keyword or a tag.
bool is_name(std::string_view name) {
  if (name.empty()) return false;
  for (const char c : name) {
    const bool alphanumeric = (c >= 'a' && c <= 'z') ||
                              (c >= 'A' && c <= 'Z') || is_digit(c) ||
                              static_cast<unsigned char>(c) >= 0x80;
    constexpr std::string_view kMarks = ".*+!-_?$%&=<>/:#'|";
    if (!alphanumeric && kMarks.find(c) == kMarks.npos) return false;
  }
  return true;
}

// Consumes digits; false: there are none.
bool digits(std::string_view& text) {
  const std::size_t count =
      std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count != 0;
}

// 1.5  1e10  1.5e-3M  2M  1/3, without a sign and without idle zeros.
bool is_fraction(std::string_view text) {
  if (text.size() > 1 && text[0] == '0' && is_digit(text[1])) return false;
  if (!digits(text)) return false;
  if (text.starts_with('/')) {
    text.remove_prefix(1);
    return digits(text) && text.empty();
  }
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits(text);
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (!digits(text)) return false;
  }
  return text.empty() || text == "M";
}

// A word on its own: its atom, or its one spelling.
EdnAtom word_atom(std::string_view word) {
  if (word == "nil") return {};
  if (word == "true" || word == "false" || word.starts_with("##")) {
    if (!is_name(word)) return {.problem = kNoWord};
    return {.is_text = true, .text = std::string(word)};
  }
  const bool negative = word[0] == '-';
  std::string_view number = word;
  if (negative || word[0] == '+') number.remove_prefix(1);
  if (number.empty() || !is_digit(number[0])) {
    constexpr std::string_view kNotFirst = ":#'";
    if (!is_name(word) || kNotFirst.find(word[0]) != kNotFirst.npos) {
      return {.problem = kNoWord};
    }
    return {.is_text = true, .text = '\'' + std::string(word)};
  }
  // The N says only that the integer may be large.
  std::string_view integer = number;
  if (integer.back() == 'N') integer.remove_suffix(1);
  std::string_view rest = integer;
  if (digits(rest) && rest.empty() &&
      (integer.size() == 1 || integer[0] != '0')) {
    std::uint64_t size = 0;
    const char* const end = integer.data() + integer.size();
    const bool fits =
        std::from_chars(integer.data(), end, size).ec == std::errc();
    if (fits && !negative) return {.atom = Atom::natural(size)};
    if (fits && size <= std::uint64_t{1} << 63) {
      return {.atom = Atom::integer(static_cast<std::int64_t>(~size + 1))};
    }
    return {.is_text = true,
            .text = (negative ? "-" : "") + std::string(integer)};
  }
  if (!is_fraction(number)) return {.problem = kNoWord};
  return {.is_text = true, .text = (negative ? "-" : "") + std::string(number)};
}

void append_number(Atom atom, std::string& out) {
  char number[24];
  const auto result =
      atom.kind == Atom::Kind::natural
          ? std::to_chars(number, number + sizeof number, atom.bits)
          : std::to_chars(number, number + sizeof number,
                          static_cast<std::int64_t>(atom.bits));
  out.append(number, result.ptr);
}

// Appends a word in its one spelling, as a part of something larger.
const char* spell_word(std::string_view word, std::string& out) {
  const EdnAtom atom = word_atom(word);
  if (atom.problem != nullptr) return atom.problem;
  if (atom.is_text) {
    out += std::string_view(atom.text).substr(atom.text[0] == '\'' ? 1 : 0);
  } else if (atom.atom.kind == Atom::Kind::nil) {
    out += "nil";
  } else {
    append_number(atom.atom, out);
  }
  return nullptr;
}

const char* spell_token(Form form, std::string_view token, std::string& out) {
  switch (form) {
    case Form::word:
      return spell_word(token, out);
    case Form::keyword:
      if (!is_name(token.substr(1))) return "this keyword has no proper name";
      break;
    case Form::tag:
      if (!is_name(token.substr(1))) return "this tag has no proper name";
      break;
    default:
      if (token.size() < 2) return "\"\\\" needs a character behind it";
      break;
  }
  out += token;
  return nullptr;
}

// Appends the string in its one spelling.
const char* spell_string(EdnReader& reader, std::string& out) {
  const std::size_t start = reader.at();
  std::string_view literal;
  std::string text;
  if (!reader.string(literal)) return reader.problem();
  if (!unescape_edn(literal, text)) {
    reader.move_to(start);
    return "this string has an escape that EDN does not have";
  }
  append_edn_literal(text, out);
  return nullptr;
}

// Consumes one form and appends it in its one spelling: no comments, no commas,
// single blanks. Returns what is wrong with it, or nullptr.
const char* spell(EdnReader& reader, std::string& out) {
  struct Open {
    char closer;
    bool map = false;
    bool odd = false;  // the number of forms in it
  };
  std::vector<Open> open;
  bool blank = false;   // is needed before the next form
  bool tagged = false;  // the next form must follow
  do {
    const Form form = reader.next();
    if (form == Form::end) return "the file ends inside of this";
    if (form == Form::broken) return reader.problem();
    if (form == Form::close) {
      if (tagged || open.empty() || open.back().closer != reader.closer()) {
        return "this bracket closes none that is open";
      }
      if (open.back().map && open.back().odd) {
        return "the last key of this map has no value";
      }
      out += open.back().closer;
      open.pop_back();
      reader.enter();
      blank = true;
      continue;
    }
    if (blank) out += ' ';
    blank = true;
    if (!tagged && !open.empty()) open.back().odd = !open.back().odd;
    tagged = form == Form::tag;
    switch (form) {
      case Form::map:
      case Form::vector:
      case Form::list:
        open.push_back({form == Form::map      ? '}'
                        : form == Form::vector ? ']'
                                               : ')',
                        form == Form::map});
        out += form == Form::map ? '{' : form == Form::vector ? '[' : '(';
        reader.enter();
        blank = false;
        break;
      case Form::set:
        open.push_back({'}'});
        out += "#{";
        reader.enter();
        blank = false;
        break;
      case Form::string:
        if (const char* problem = spell_string(reader, out)) return problem;
        break;
      default: {
        const std::size_t start = reader.at();
        if (const char* problem = spell_token(form, reader.token(), out)) {
          reader.move_to(start);
          return problem;
        }
      }
    }
  } while (tagged || !open.empty());
  return nullptr;
}

// The form that has this text, if it is no string that is its own text.
bool is_taken(std::string_view text) {
  if (text.empty()) return false;
  constexpr std::string_view kFirst = ":'\"[({#\\+-tf0123456789";
  if (kFirst.find(text[0]) == kFirst.npos) return false;
  EdnReader reader(text[0] == '\'' ? text.substr(1) : text);
  const EdnAtom atom = edn_atom(reader);
  return atom.problem == nullptr && atom.is_text && atom.text == text &&
         reader.next() == Form::end;
}

}  // namespace

EdnAtom edn_atom(EdnReader& reader) {
  const std::size_t start = reader.at();
  switch (reader.next()) {
    case Form::word: {
      const std::size_t before = reader.at();
      EdnAtom atom = word_atom(reader.token());
      if (atom.problem != nullptr) reader.move_to(before);
      return atom;
    }
    case Form::string: {
      EdnAtom result{.is_text = true};
      std::string literal;
      result.problem = spell_string(reader, literal);
      if (result.problem != nullptr) return result;
      unescape_edn(literal, result.text);
      if (is_taken(result.text)) result.text = std::move(literal);
      return result;
    }
    default: {
      reader.move_to(start);
      EdnAtom result{.is_text = true};
      result.problem = spell(reader, result.text);
      return result;
    }
  }
}

std::string edn_form(std::string_view text) {
  if (is_taken(text)) return std::string(text.substr(text[0] == '\'' ? 1 : 0));
  std::string literal;
  append_edn_literal(text, literal);
  return literal;
}

}  // namespace awdit
