// What several commands let one choose, understood the same way everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/plan.h"
#include "format/format.h"
#include "report/report.h"

namespace awdit::cli {

Misuse misuse(std::string_view command, std::string message);

// A plain whole number.
std::optional<std::uint32_t> number(const std::string& text);

// No name: leaves `format` as it is.
std::optional<Misuse> choose_format(std::string_view command,
                                    const std::string& name,
                                    const Format*& format);

// The levels named by "rc,ra"-like lists; every level, though none of them by
// name, if there are no lists or one says "all".
std::optional<Misuse> choose_levels(std::string_view command,
                                    const std::vector<std::string>& lists,
                                    std::vector<Wanted>& chosen);

// Those that can be asked of this history, and those that were named even if
// they cannot: check() says why.
std::vector<const Level*> asked_of(const std::vector<Wanted>& levels,
                                   const History& history);

// Seconds that the search for a level may take unless told otherwise.
inline constexpr unsigned kUsualTimeLimit = 60;

// The limits of a search, and whether sessions are ordered.
std::optional<Misuse> choose_search(std::string_view command,
                                    const SearchOptions& typed,
                                    Options& options, bool& session_order);

// Nothing typed: one per processor.
std::optional<Misuse> choose_threads(std::string_view command,
                                     const std::string& typed,
                                     unsigned& threads);

// The format that a file's name asks for, compressed or not; or nullptr.
const Format* format_of_name(std::string_view path);

// What `-o output` and `--json` ask for; neither: text.
std::optional<Misuse> choose_report(std::string_view command,
                                    const std::string& output, bool json,
                                    const ReportFormat*& report);

// The same, for commands of which not every report tells; `tells` says which
// do.
std::optional<Misuse> choose_report_of(std::string_view command,
                                       const std::string& output, bool json,
                                       bool (*tells)(const ReportFormat& row),
                                       const ReportFormat*& report);

// What -o, --json, --report and --limit ask for. `histories`: how many.
std::optional<Misuse> choose_documents(std::string_view command,
                                       const std::string& output, bool json,
                                       const std::vector<std::string>& files,
                                       const std::string& limit,
                                       std::size_t histories,
                                       DocumentsPlan& plan);

// That nothing is written to one place twice: reports to `files`, and one thing
// each to those of `others` that are not empty.
std::optional<Misuse> choose_places(std::string_view command,
                                    const std::vector<std::string>& files,
                                    const std::vector<std::string>& others);

}  // namespace awdit::cli
