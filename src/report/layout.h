// Words on lines, for the text report. Private to src/report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/sink.h"

namespace awdit {

// Text is kept within this many columns where it can be, unless a terminal says
// how many it has.
inline constexpr std::size_t kWidth = 80;

// Colours, or nothing at all; whether tables have frames; and the terminal's
// width, in which every line must stay. 0: it is no terminal.
struct Palette {
  std::string_view good, bad, strong, faint, off;
  bool frames = false;
  std::size_t width = 0;
};
Palette palette(bool colour, bool frames = false, std::size_t width = 0);

// Appends `text` word by word: `first` before the first line, `rest` before
// every further one, each line at most kWidth columns unless a word is longer;
// on a terminal within its width, whatever the words.
void append_wrapped(std::string_view text, std::string_view first,
                    std::string_view rest, const Palette& look, Sink& sink);

// A line as it is; on a terminal that is too narrow for it, broken at blanks
// and continued behind `indent` blanks.
void append_line(std::string_view line, std::size_t indent, const Palette& look,
                 Sink& sink);

// `text` and as many blanks as make it `width` columns wide.
std::string padded(std::string_view text, std::size_t width);

}  // namespace awdit
