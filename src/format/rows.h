// What each format file offers to the table. Private to format/.
#pragma once

#include <string_view>

#include "base/input.h"
#include "base/result.h"
#include "history/history.h"

namespace awdit {

bool sniff_plume(std::string_view head);
Result<History> parse_plume(const Input& input, unsigned threads);

bool sniff_awdit_test(std::string_view head);
Result<History> parse_awdit_test(const Input& input, unsigned threads);

}  // namespace awdit
