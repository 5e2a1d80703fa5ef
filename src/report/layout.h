// Words on lines, for the text report. Private to src/report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/sink.h"

namespace awdit {

// Text for a terminal is kept within this many columns where it can be.
inline constexpr std::size_t kWidth = 80;

// Colours, or nothing at all; and whether tables have frames.
struct Palette {
  std::string_view good, bad, strong, faint, off;
  bool frames = false;
};
Palette palette(bool colour, bool frames = false);

// Appends `text` word by word: `first` before the first line, `rest` before
// every further one, each line at most kWidth columns unless a word is longer.
void append_wrapped(std::string_view text, std::string_view first,
                    std::string_view rest, Sink& sink);

// `text` and as many blanks as make it `width` columns wide.
std::string padded(std::string_view text, std::size_t width);

}  // namespace awdit
