#include "report/layout.h"

#include "base/utf8.h"

namespace awdit {

Palette palette(bool colour, bool frames) {
  if (!colour)
    return {.good = {},
            .bad = {},
            .strong = {},
            .faint = {},
            .off = {},
            .frames = frames};
  return {.good = "\x1b[32m",
          .bad = "\x1b[1;31m",
          .strong = "\x1b[1m",
          .faint = "\x1b[2m",
          .off = "\x1b[0m",
          .frames = frames};
}

void append_wrapped(std::string_view text, std::string_view first,
                    std::string_view rest, Sink& sink) {
  sink.append(first);
  std::size_t column = columns(first);
  bool line_has_word = false;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t start = text.find_first_not_of(' ', at);
    if (start == std::string_view::npos) break;
    std::size_t end = text.find(' ', start);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view word = text.substr(start, end - start);
    const std::size_t width = columns(word);
    if (line_has_word && column + 1 + width > kWidth) {
      sink.append('\n');
      sink.append(rest);
      column = columns(rest);
      line_has_word = false;
    }
    if (line_has_word) {
      sink.append(' ');
      ++column;
    }
    sink.append(word);
    column += width;
    line_has_word = true;
    at = end;
  }
  sink.append('\n');
}

std::string padded(std::string_view text, std::size_t width) {
  std::string result(text);
  const std::size_t taken = columns(text);
  if (taken < width) result.append(width - taken, ' ');
  return result;
}

}  // namespace awdit
