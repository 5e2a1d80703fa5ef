// Words on lines, for the reports that are plain text. Private to src/report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/sink.h"

namespace awdit {

// Text is kept within this many columns where it can be, unless a terminal says
// how many it has.
inline constexpr std::size_t kWidth = 80;

// Where text goes, and what it looks like there: with colours, or nothing at
// all; with frames around tables; within the terminal's width, in which every
// line must stay. 0: it is no terminal.
class Screen {
 public:
  explicit Screen(Sink& to, bool colour = false, bool with_frames = false,
                  std::size_t columns = 0);

  // `text` word by word: `first` before the first line, `rest` before every
  // further one, each line at most kWidth columns unless a word is longer; on a
  // terminal within its width, whatever the words.
  void prose(std::string_view text, std::string_view first = "",
             std::string_view rest = "") const;
  // A line as it is; on a terminal that is too narrow for it, broken at blanks
  // and continued behind `indent` blanks.
  void line(std::string_view text, std::size_t indent = 0) const;
  void blank() const { sink.append('\n'); }

  Sink& sink;
  std::string_view good, bad, strong, faint, off;
  const bool frames;
  const std::size_t width;
};

// `text` and as many blanks as make it `width` columns wide.
std::string padded(std::string_view text, std::size_t width);

}  // namespace awdit
