#include "format/text_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace awdit {
namespace {

constexpr std::size_t kShown = 60;  // bytes quoted on either side of the place

bool printable(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

Error error_at(const Input& input, std::size_t offset, std::string message,
               std::string hint) {
  const std::string_view bytes = input.bytes();
  offset = std::min(offset, bytes.size());
  const std::size_t line =
      1 + static_cast<std::size_t>(
              std::count(bytes.begin(), bytes.begin() + offset, '\n'));
  const std::size_t newline =
      offset == 0 ? std::string_view::npos : bytes.rfind('\n', offset - 1);
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;

  const std::size_t from = offset - std::min(offset - start, kShown);
  std::size_t to = from;
  while (to < bytes.size() && to < offset + kShown && bytes[to] != '\n') ++to;
  std::string excerpt = "    ";
  if (from != start) excerpt += "...";
  const std::size_t caret = excerpt.size() + (offset - from);
  for (std::size_t i = from; i < to; ++i) {
    if (bytes[i] == '\r' && i + 1 == to) break;
    excerpt += printable(bytes[i]) ? bytes[i] : '.';
  }
  if (to == offset + kShown && to < bytes.size() && bytes[to] != '\n') {
    excerpt += "...";
  }
  excerpt += '\n';
  excerpt.append(caret, ' ');
  excerpt += "^\n";
  return Error{
      .where = fmt::format("{}:{}:{}", input.name(), line, offset - start + 1),
      .message = std::move(message),
      .excerpt = std::move(excerpt),
      .hint = std::move(hint)};
}

std::size_t byte_order_mark(std::string_view bytes) {
  return bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

std::string found_at(std::string_view bytes, std::size_t offset) {
  if (offset >= bytes.size()) return "the end of the file";
  const char c = bytes[offset];
  if (c == '\n' || c == '\r') return "the end of the line";
  if (!printable(c)) {
    return fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(c));
  }
  const auto is_word = [](char x) {
    return (x >= '0' && x <= '9') || (x >= 'a' && x <= 'z') ||
           (x >= 'A' && x <= 'Z') || x == '_' || x == '.' || x == '-';
  };
  std::size_t end = offset + 1;
  if (is_word(c)) {
    while (end < bytes.size() && end < offset + 24 && is_word(bytes[end])) {
      ++end;
    }
  }
  return fmt::format("\"{}\"", bytes.substr(offset, end - offset));
}

}  // namespace awdit
