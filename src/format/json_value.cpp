#include "format/json_value.h"

#include <algorithm>
#include <utility>

#include "format/jsonl_line.h"
#include "history/builder.h"

namespace awdit {

// It is read where the format has such a value: what stands there may not close
// it, nor go on with another field.
Result<std::string> compact_json(std::string_view text) {
  std::string line = "{\"about\":" + std::string(text) + "}";
  std::replace(line.begin(), line.end(), '\n', ' ');
  line = padded_line(line);
  Builder names({});
  JsonlLine reader(names.add_shard());
  if (reader.parse(line.data()) == nullptr || !reader.is_about) {
    return Error{.message = "this is not a JSON value",
                 .hint = "A text is one between quotes: \"node 3\"."};
  }
  return std::move(reader.about);
}

}  // namespace awdit
