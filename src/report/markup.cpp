#include "report/markup.h"

#include "base/columns.h"
#include "base/utf8.h"

namespace awdit {

std::string xml_text(std::string_view text) {
  const std::string shown = visible(text);
  std::string result;
  result.reserve(shown.size());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    switch (shown[i]) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\xEF':
        // U+FFFE and U+FFFF are UTF-8, but no characters of XML.
        if (shown.compare(i, 3, "\xEF\xBF\xBE") == 0 ||
            shown.compare(i, 3, "\xEF\xBF\xBF") == 0) {
          result += shown[i + 2] == '\xBE' ? "\\u{fffe}" : "\\u{ffff}";
          i += 2;
          break;
        }
        [[fallthrough]];
      default:
        result += shown[i];
    }
  }
  return result;
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

}  // namespace awdit
