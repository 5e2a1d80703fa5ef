// String literals of EDN. Private to format/.
#pragma once

#include <string>
#include <string_view>

namespace awdit {

// What the literal (with its quotes) says. False: it has an escape that EDN
// does not have.
bool unescape_edn(std::string_view literal, std::string& text);

// Appends `text` as a literal, in the one way in which we spell it: any bytes
// stand for themselves but quotes, backslashes and control characters.
void append_edn_literal(std::string_view text, std::string& out);

}  // namespace awdit
