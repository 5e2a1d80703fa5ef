// Text measured as a terminal shows it.
//
// A letter takes one column, a Chinese character or an emoji two, a combining
// accent none, and neither does a colour ("\x1b[1;31m"). Allocates nothing: a
// signal handler may ask.
#pragma once

#include <cstddef>
#include <string_view>

namespace awdit {

// How many columns `text` takes. A byte that is not UTF-8 takes one.
std::size_t columns(std::string_view text);

// As much of its beginning as fits into `most` columns, whole characters only.
std::string_view first_columns(std::string_view text, std::size_t most);

}  // namespace awdit
