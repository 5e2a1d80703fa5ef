// Values of options, understood the same way in every command.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/table.h"
#include "cli/grammar.h"
#include "format/format.h"

namespace awdit::cli {

// A plain whole number.
std::optional<std::uint32_t> number(const std::string& text);

// "--timeout takes whole seconds; found 'x'"
Misuse refused(const std::string& option, const std::string& takes,
               const std::string& typed);

// What `parse` understands (it returns an optional); anything else is refused.
template <typename T, typename Parse>
Value value_into(T& value, std::string takes, Parse parse) {
  return {[=, &value](const std::string& option,
                      const std::string& typed) -> Wrong {
    const auto parsed = parse(typed);
    if (!parsed) return refused(option, takes, typed);
    value = *parsed;
    return std::nullopt;
  }};
}
// "--sessions 1e12 is more than any history can hold"
Misuse more_than_any_history(const std::string& option,
                             const std::string& typed);
Wrong choose_count(const std::string& option, const std::string& typed,
                   std::uint64_t least, std::uint64_t most,
                   std::uint64_t& value);

// "10", "5k", "1e6"; at most `most`, or what any history can hold.
template <typename Number>
Value count_into(Number& value, std::uint64_t least = 0,
                 std::uint64_t most = UINT64_MAX) {
  return {[=, &value](const std::string& option,
                      const std::string& typed) -> Wrong {
    std::uint64_t wide = 0;
    if (Wrong wrong = choose_count(option, typed, least, most, wide)) {
      return wrong;
    }
    if (wide > std::numeric_limits<Number>::max()) {
      return more_than_any_history(option, typed);
    }
    value = static_cast<Number>(wide);
    return std::nullopt;
  }};
}

// A count whose help ends in what it is unless it is given.
template <typename Number>
void add_count(Grammar& grammar, const std::string& option,
               const std::string& summary, Number& value,
               std::uint64_t least = 0, std::uint64_t most = UINT64_MAX) {
  grammar.option(option, "N",
                 summary + " (default " + std::to_string(value) + ")",
                 count_into(value, least, most));
}
// "0.25" or "25%".
Value share_into(double& value);
// "500ms", "30s" or "30", "5m"; not 0.
Value time_into(std::chrono::milliseconds& value);
// The same, rounded up to whole seconds, for what counts only those.
Value seconds_into(unsigned& seconds);

template <typename Row>
Names names_of(std::span<const Row> rows) {
  Names names;
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

// The row of a table that has this name.
template <typename Row>
Value row_into(std::span<const Row> rows, std::string_view what,
               const Row*& chosen) {
  return {[=, &chosen](const std::string&, const std::string& typed) -> Wrong {
            chosen = find_row(rows, typed);
            if (chosen != nullptr) return std::nullopt;
            return Misuse{unknown_name_message(what, typed, rows)};
          },
          names_of(rows)};
}

// The names in lists such as "a,b", all lists together.
std::vector<std::string> names_in(const std::vector<std::string>& lists);

// --threads: one per processor unless told otherwise.
void add_threads(Grammar& grammar, unsigned& threads,
                 const std::string& text = "Default: one per processor");
// -f: the format of what is read; left as it is, nullptr, if it is to be
// recognised.
void add_format(Grammar& grammar, const Format*& format);

// The format that a file's name asks for, compressed or not; or nullptr.
const Format* format_of_name(std::string_view path);
// That there is a writer for it.
Wrong unless_writable(const Format& format);
// What is wrong if no history is named.
Misuse no_history();
// That standard input is read once at the most.
Wrong unless_read_once(const std::vector<std::string>& paths);
// That nothing is written to one place twice; places may be "" (none) and "-".
Wrong unless_apart(const std::vector<std::string>& places);

}  // namespace awdit::cli
