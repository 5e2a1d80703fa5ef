// A piece of an awdit-jsonl file that one thread parses. Private to format/.
//
// What concerns several lines (that all have ids or none, that lists and single
// values do not mix) is noted here and judged when all pieces are read. A
// piece stops at its first mistake.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input.h"
#include "format/jsonl_line.h"
#include "history/builder.h"

namespace awdit {

inline constexpr std::string_view kJsonlHint =
    "A line is one transaction: {\"session\": 1, \"id\": 7, \"ops\": "
    "[[\"w\",\"x\",1],[\"r\",\"y\",null]]}";
inline constexpr std::string_view kJsonlHeaderHint =
    "A header is the first line of a file, if there is one: {\"awdit\": 1, "
    "\"initial\": null, \"clock\": \"nanoseconds\"}";
inline constexpr std::string_view kJsonlIdHint =
    "Give every transaction an id, or none; {\"id\": null} is for aborted "
    "ones whose id is not known.";

// A place in the input, in its order.
struct JsonlSpot {
  std::size_t file = SIZE_MAX;
  std::size_t offset = 0;
  bool known() const { return file != SIZE_MAX; }
  friend auto operator<=>(const JsonlSpot&, const JsonlSpot&) = default;
};

// "this transaction has an id, unlike those before"
const char* odd_jsonl_id(bool has_id);

struct JsonlPiece {
  std::size_t file;
  const Input* input;
  std::size_t from, to;
  std::string tail = {};  // not empty: the copy, padded
  Builder::Shard* shard = nullptr;

  // What parsing finds out.
  std::uint64_t txns = 0;
  bool ids = false;  // the first transaction has one, so all must
  bool timed = false;
  JsonlSpot first_txn = {}, list_op = {}, register_op = {};
  std::vector<std::string> about = {};
  bool completed = false;  // the tail was cut off in the middle of a commit
  JsonMistake mistake = {};
  JsonlSpot at = {};  // of the mistake
  std::string_view hint = kJsonlHint;

  const char* begin() const {
    return tail.empty() ? input->bytes().data() + from : tail.data();
  }
  const char* end() const {
    return begin() + (tail.empty() ? to - from : tail.size() - kJsonlPadding);
  }
  JsonlSpot spot(const char* p) const {
    return {file, from + static_cast<std::size_t>(p - begin())};
  }

  // What the other files and the headers say.
  struct Terms {
    bool only_file;                            // lines are places
    bool no_clock;                             // there must be no times
    const std::optional<std::string>& domain;  // of the times
  };
  // How many operations there are, about.
  std::size_t estimate_ops() const;
  // Parses all lines into the shard, or up to a mistake.
  void parse(const Terms& terms);

  // Calls visit(start, end, number of the line) for each line that is not
  // blank, `line` having parsed it; `end` is nullptr at a mistake. Until it
  // returns false.
  template <typename Visit>
  std::uint32_t for_each_line(JsonlLine& line, const Visit& visit) const {
    std::uint32_t number = 0;
    const char* const stop = end();
    for (const char* p = begin(); p < stop; ++number) {
      const char* const start = p;
      line.json.enter_line(p);
      p = line.json.at();
      if (*p == '\n') {
        ++p;
        continue;
      }
      p = line.parse(p);
      if (!visit(start, p, number) || p == nullptr) break;
    }
    return number;
  }

 private:
  void fail(const char* p, std::string message, std::string_view remedy) {
    mistake = {p, {}, std::move(message)};
    hint = remedy;
  }
  bool begins_file(const char* p) const;
  void add(const JsonlLine& line, const char* start, std::uint32_t number,
           const Terms& terms);
};

}  // namespace awdit
