// Lines of a driver in messages: harmless, and not longer than a person reads.
// Private to driver/.
#pragma once

#include <string>
#include <string_view>

namespace awdit {

std::string quoted_line(std::string_view line);

}  // namespace awdit
