// What several commands say below the options of --help.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace awdit::cli {

inline constexpr std::string_view kExitCodes =
    "Exit codes:\n"
    "  0  every level asked for holds        (verify: all accepted)\n"
    "  1  some level asked for is violated   (verify: some rejected)\n"
    "  2  usage, input or output error: nothing is concluded\n"
    "  3  nothing violated, but some level undecided";

// A line each, in two columns.
std::string two_columns(
    const std::vector<std::pair<std::string_view, std::string>>& lines);

// The names and summaries of a table.
template <typename Row>
std::string summaries(std::span<const Row> rows) {
  std::vector<std::pair<std::string_view, std::string>> lines;
  for (const Row& row : rows) lines.emplace_back(row.name, row.summary);
  return two_columns(lines);
}

// "also: rc, pl-2", or nothing.
std::string also(std::span<const std::string_view> aliases);

// Reports, and the names of files that mean them.
std::string reports_text();

}  // namespace awdit::cli
