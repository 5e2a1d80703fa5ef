#include "base/counted.h"

namespace awdit {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  std::string text = grouped(number);
  text += ' ';
  text += noun;
  if (number != 1) text += 's';
  return text;
}

}  // namespace awdit
