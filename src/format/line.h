// A short piece of text in the making: numbers without printf, no allocation
// per line. Private to format/.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "history/history.h"

namespace awdit {

class Line {
 public:
  void clear() { text_.clear(); }
  std::string_view text() const { return text_; }

  // Texts, characters and integers, one behind the other.
  template <typename... Parts>
  void add(const Parts&... parts) {
    (put(parts), ...);
  }
  // A key or value, if it is a number; false: it is not.
  bool add_number(Atom atom) {
    if (atom.kind == Atom::Kind::integer) {
      put(static_cast<std::int64_t>(atom.bits));
    } else if (atom.kind == Atom::Kind::natural) {
      put(atom.bits);
    } else {
      return false;
    }
    return true;
  }

 private:
  void put(std::string_view text) { text_ += text; }
  void put(char c) { text_ += c; }
  template <std::integral Number>
  void put(Number number) {
    char digits[24];
    const auto [end, error] =
        std::to_chars(digits, digits + sizeof digits, number);
    text_.append(digits, end);
  }

  std::string text_;
};

}  // namespace awdit
