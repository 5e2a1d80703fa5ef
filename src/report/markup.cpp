#include "report/markup.h"

#include <algorithm>
#include <array>

#include "base/columns.h"
#include "base/utf8.h"

namespace awdit {

std::string escaped(std::string_view text, std::span<const Escape> escapes) {
  std::array<bool, 256> may_begin = {};  // [byte]: an escape
  const auto at = [](char c) { return static_cast<unsigned char>(c); };
  for (const Escape& it : escapes) may_begin[at(it.text[0])] = true;
  std::string result;
  result.reserve(text.size() + text.size() / 16);
  while (!text.empty()) {
    const auto found =
        may_begin[at(text[0])]
            ? std::ranges::find_if(
                  escapes,
                  [&](const Escape& it) { return text.starts_with(it.text); })
            : escapes.end();
    const bool plain = found == escapes.end();
    result += plain ? text.substr(0, 1) : found->escaped;
    text.remove_prefix(plain ? 1 : found->text.size());
  }
  return result;
}

std::string xml_text(std::string_view text) {
  static constexpr Escape kEscapes[] = {
      {"&", "&amp;"},
      {"<", "&lt;"},
      {">", "&gt;"},
      {"\"", "&quot;"},
      // U+FFFE and U+FFFF are UTF-8, but no characters of XML.
      {"\xEF\xBF\xBE", "\\u{fffe}"},
      {"\xEF\xBF\xBF", "\\u{ffff}"},
  };
  return escaped(visible(text), kEscapes);
}

std::string xml_lines(std::string_view text) {
  std::string result;
  for (;;) {
    const std::size_t end = text.find('\n');
    result += xml_text(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    result += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string clipped(std::string_view text, std::size_t width) {
  // Nobody looks at more than the beginning of a label of ten kilobytes.
  std::string shown = visible(text.substr(0, 4 * width + 16));
  if (columns(shown) <= width) return shown;
  return std::string(first_columns(shown, width - 1)) + "…";
}

std::vector<std::string> word_lines(std::string_view shown, std::size_t width) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t end = std::min(shown.find(' ', at), shown.size());
    const std::string_view word = shown.substr(at, end - at);
    at = end + 1;
    std::string& line = lines.back();
    if (!line.empty() && columns(line) + 1 + columns(word) > width) {
      lines.emplace_back(word);
    } else {
      if (!line.empty()) line += ' ';
      line += word;
    }
  }
  return lines;
}

}  // namespace awdit
