// A short piece of text in the making: numbers without printf, no allocation
// per line. Private to format/.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace awdit {

class Line {
 public:
  void clear() { text_.clear(); }
  std::string_view text() const { return text_; }

  void add(std::string_view text) { text_ += text; }
  void add(const char* text) { text_ += text; }
  void add(char c) { text_ += c; }
  void add(std::uint64_t number) { add_number(number); }
  void add_signed(std::int64_t number) { add_number(number); }

 private:
  template <typename Number>
  void add_number(Number number) {
    char digits[24];
    const auto [end, error] =
        std::to_chars(digits, digits + sizeof digits, number);
    text_.append(digits, end);
  }

  std::string text_;
};

}  // namespace awdit
