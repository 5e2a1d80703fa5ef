// Keys and values of EDN as atoms, and back. Private to format/.
//
// Integers of 64 bits and nil are atoms of their own. Every other form is a
// text, so that two forms are the same text iff they are the same form, and
// that every text, wherever it comes from, is a form:
//
//   keyword      :x         the text  :x
//   string       "x"        the text  x
//   symbol       x          the text  'x
//   other forms  [1, 2.5]   their text in one spelling:  [1 2.5]
//   strings that look like such a text, e.g. the strings ":x", "1.5", "[1]":
//                           the literal, quotes included:  ":x"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "format/edn_reader.h"
#include "history/history.h"

namespace awdit {

struct EdnAtom {
  const char* problem = nullptr;  // not nullptr: malformed, at reader.at()
  bool is_text = false;
  Atom atom = Atom::nil();  // unless a text: an integer or nil
  std::string text = {};
};

// Consumes one form.
EdnAtom edn_atom(EdnReader& reader);

// The form whose text is `text`, ready to print.
std::string edn_form(std::string_view text);

}  // namespace awdit
