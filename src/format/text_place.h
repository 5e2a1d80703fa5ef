// Errors in text inputs: where they are and what is there. Private to
// format/.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/input.h"
#include "base/result.h"

namespace awdit {

// An error at byte `offset`: counts lines up to it and quotes the line, cut to
// a readable length, with a caret below the place. Bytes that are not printable
// ASCII are shown as '.', so that quoting binary input is harmless.
Error error_at(const Input& input, std::size_t offset, std::string message,
               std::string hint);

// The length of the byte order mark that some editors put before UTF-8 text: 3
// or 0.
std::size_t byte_order_mark(std::string_view bytes);

// What stands at `offset`, for "found ..." in messages: a quoted word, "the end
// of the line", "the end of the file" or a byte in hexadecimal.
std::string found_at(std::string_view bytes, std::size_t offset);

// "somewhere/T1.log" -> "T1.log", for warnings, which are kept in histories.
inline std::string_view last_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}
// "somewhere/T1.log" -> "T1", for sessions that have a file each.
inline std::string_view stem(std::string_view path) {
  const std::string_view name = last_name(path);
  const std::size_t dot = name.find_last_of('.');
  return dot == 0 ? name : name.substr(0, dot);
}

}  // namespace awdit
