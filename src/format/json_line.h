// JSON that stands on one line, read piece by piece. Private to format/.
//
// Why not simdjson: a line is a hundred bytes, so that setting up a document
// costs as much as reading it; a mistake must have its column; and what
// simdjson skips it does not check. Only strict JSON (RFC 8259) passes.
// Why not JsonReader (format/json_text.h): a line that a dying recorder cut off
// is known by its mistake, which must be where the line ends, and by nothing
// else; and recorders check a note without an Input around it.
//
// Every function takes the place where its piece must begin and returns the
// place behind it, or nullptr, having noted the mistake. The newline at the end
// of the line stops all of them: nothing needs to look for the end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "history/history.h"

namespace awdit {

class JsonLine {
 public:
  struct Mistake {
    const char* at = nullptr;
    std::string wanted;   // "expected WANTED, found ..."
    std::string message;  // instead of it, if not empty
  };
  Mistake mistake;

  static const char* skip_blanks(const char* p) {
    while (*p == ' ' || *p == '\t' || *p == '\r') ++p;
    return p;
  }

  // One byte, blanks around it.
  const char* punctuation(const char* p, char byte, const char* wanted) {
    p = skip_blanks(p);
    if (*p != byte) return expected(p, wanted);
    return skip_blanks(p + 1);
  }

  // The text may lie in here until the next call.
  const char* string(const char* p, std::string_view& text);
  // 64 bits, signed or not.
  const char* integer(const char* p, Atom& atom, const char* wanted);
  const char* literal(const char* p, std::string_view word, const char* wanted);
  // Any value, without the blanks between its tokens. Nesting costs a byte of
  // memory per level, nothing else.
  const char* value(const char* p, std::string& compact);

  // What stands there, for messages.
  static std::string found(std::string_view bytes, std::size_t offset);

  const char* expected(const char* p, std::string wanted) {
    mistake = {p, std::move(wanted), ""};
    return nullptr;
  }
  const char* fail(const char* p, std::string message) {
    mistake = {p, "", std::move(message)};
    return nullptr;
  }

 private:
  const char* careful_string(const char* start, const char* p,
                             std::string_view& text);
  const char* number(const char* p);
  const char* scalar(const char* p);

  std::string scratch_;
  std::string open_;  // brackets that value() has to close
};

}  // namespace awdit
