// Backslashes are read in prose and entities everywhere but in code spans; a
// table splits its cells before it looks for code spans. Hence three ways.
#include "report/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace awdit {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// At the beginning of a line these would make a list, a heading, a rule.
std::size_t opening(std::string_view text) {
  if (text.empty()) return std::string_view::npos;
  if (std::string_view("-+=").find(text[0]) != std::string_view::npos) return 0;
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits != 0 && digits < text.size() &&
      (text[digits] == '.' || text[digits] == ')')) {
    return digits;
  }
  return std::string_view::npos;
}

std::size_t longest_run(std::string_view text, char of) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == of ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string markdown_prose(std::string_view raw) {
  const std::string text = visible(raw);
  const std::size_t first = opening(text);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (i == first ||
        std::string_view("\\`*_[]<>|~&$").find(c) != std::string_view::npos ||
        (c == '#' && i == 0)) {
      result += '\\';
    }
    result += c;
    // An empty comment keeps GitHub from taking it for a person or an issue.
    if (c == '@' || (c == '#' && is_digit(next))) result += "<!-- -->";
  }
  return result;
}

std::string markdown_code(std::string_view raw) {
  const std::string text = visible(raw);
  if (text.find_first_of("|\\`") == std::string::npos) {
    return text.empty() ? "" : "`" + text + "`";
  }
  std::string result = "<code>";
  for (const char c : text) {
    const bool plain = static_cast<unsigned char>(c) >= 0x80 || c == ' ' ||
                       c == '=' || is_digit(c) || (c >= 'a' && c <= 'z') ||
                       (c >= 'A' && c <= 'Z');
    if (plain) {
      result += c;
    } else {
      result += fmt::format("&#{};", static_cast<int>(c));
    }
  }
  return result + "</code>";
}

std::string markdown_fenced(std::string_view lines) {
  const std::string fence(std::max<std::size_t>(3, longest_run(lines, '`') + 1),
                          '`');
  std::string result = fence + "text\n";
  result += lines;
  if (!lines.ends_with('\n')) result += '\n';
  return result + fence + "\n";
}

}  // namespace awdit
