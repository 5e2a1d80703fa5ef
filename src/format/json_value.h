// JSON that somebody else has written and that we only keep: notes of a
// recorder. A front door of format/ for those who make histories by calls.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace awdit {

// The text without blanks between its tokens, as readers of awdit-jsonl keep it
// (History::meta, about). Fails if it is not one JSON value.
Result<std::string> compact_json(std::string_view text);

}  // namespace awdit
