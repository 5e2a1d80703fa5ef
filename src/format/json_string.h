// What stands between the quotes of a JSON string: escapes and UTF-8. Private
// to format/.
#pragma once

#include <string>

namespace awdit {

struct JsonCharacter {
  const char* end;  // the place behind it; nullptr: it is none
  // What is wrong, and where: "expected WANTED", or the message.
  const char* at = nullptr;
  const char* wanted = "";
  const char* message = "";
};

// Appends what the character or escape at p means. Reads no further than the
// first byte that does not belong to it. REQUIRES: p is neither at the closing
// quote nor at a control character.
JsonCharacter append_json_character(const char* p, std::string& text);

}  // namespace awdit
