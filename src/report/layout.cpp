#include "report/layout.h"

#include <algorithm>

#include "base/columns.h"
#include "base/fit.h"

namespace awdit {

namespace {

// Longer lines are hard to read, however wide the terminal.
constexpr std::size_t kProse = 100;

}  // namespace

Palette palette(bool colour, bool frames, std::size_t width) {
  if (!colour) return {"", "", "", "", "", frames, width};
  return {.good = "\x1b[32m",
          .bad = "\x1b[1;31m",
          .strong = "\x1b[1m",
          .faint = "\x1b[2m",
          .off = "\x1b[0m",
          .frames = frames,
          .width = width};
}

void append_wrapped(std::string_view text, std::string_view first,
                    std::string_view rest, const Palette& look, Sink& sink) {
  const std::size_t most =
      look.width == 0 ? kWidth : std::min(look.width, kProse);
  sink.append(first);
  std::size_t column = columns(first);
  bool line_has_word = false;
  const auto begin_line = [&] {
    sink.append('\n');
    sink.append(rest);
    column = columns(rest);
    line_has_word = false;
  };
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t start = text.find_first_not_of(' ', at);
    if (start == std::string_view::npos) break;
    std::size_t end = text.find(' ', start);
    if (end == std::string_view::npos) end = text.size();
    std::string_view word = text.substr(start, end - start);
    std::size_t width = columns(word);
    if (line_has_word && column + 1 + width > most) begin_line();
    if (line_has_word) {
      sink.append(' ');
      ++column;
    }
    while (look.width != 0 && column + width > most && column < most) {
      const std::string_view part = first_columns(word, most - column);
      if (part.empty()) break;
      sink.append(part);
      word.remove_prefix(part.size());
      width -= columns(part);
      begin_line();
    }
    sink.append(word);
    column += width;
    line_has_word = true;
    at = end;
  }
  sink.append('\n');
}

void append_line(std::string_view line, std::size_t indent, const Palette& look,
                 Sink& sink) {
  if (look.width == 0) {
    sink.append(line);
  } else {
    sink.append(wrapped_line(line, look.width, indent));
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
