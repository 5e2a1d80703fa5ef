// Text that fits a terminal.
//
// Whoever knows what a text means breaks it best, and the reports do so. What
// is left are texts that were written with 80 columns in mind: help, lists,
// messages. A line that is too long goes on below its own last column, and the
// lines that were one paragraph are one again before they are broken anew.
// Where everything fits, not a byte changes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace awdit {

// The least width that anything is fitted to.
inline constexpr std::size_t kLeastWidth = 20;

// `line` as lines of at most `width` columns, without a final newline: broken
// at blanks, within a word only if that is too long by itself. Lines after the
// first begin with `indent` blanks, fewer if that is nearly the whole width.
std::string wrapped_line(std::string_view line, std::size_t width,
                         std::size_t indent);

// Every line of `text`, with paragraphs and tables put together again first.
std::string fit_text(std::string_view text, std::size_t width);

}  // namespace awdit
