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

std::string listed(std::span<const std::string> items, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < items.size() && i < most; ++i) {
    const bool last = i + 1 == items.size();
    if (i != 0) text += last ? " and " : ", ";
    text += items[i];
  }
  if (items.size() <= most) return text;
  return text + " and " + std::to_string(items.size() - most) + " more";
}

}  // namespace awdit
