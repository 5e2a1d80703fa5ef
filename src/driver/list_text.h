// Lists of ids as text, for databases that can join texts: "17,4,23".
#pragma once

#include <string_view>
#include <vector>

#include "driver/driver.h"

namespace awdit {

// False if the text is no such list; "" is the empty list.
bool parse_list(std::string_view text, std::vector<WriteId>& elements);

}  // namespace awdit
