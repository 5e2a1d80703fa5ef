#include "cli/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/fit.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/table.h"
#include "cli/overwrite.h"
#include "cli/quantity.h"

namespace awdit::cli {
namespace {

// More threads than this help nobody and may not be had.
constexpr std::uint32_t kMostThreads = 1024;
// As many as AtomicFile can watch over, less one for a certificate.
constexpr std::size_t kMostReports = 15;
// Who types 4 means gigabytes and would get no answer at all.
constexpr std::uint64_t kLeastMemory = 1'000'000;

// Leaves others some room; 0, no limit, if nobody tells how much there is.
std::uint64_t usual_memory_in_all() { return memory_of_process() / 4 * 3; }

// A name of SQL's that is none of ours: what to ask for instead.
Misuse several_levels(std::string_view command, const std::string& typed,
                      const SqlLevel& sql) {
  constexpr std::size_t kLine = 80, kCell = 20;
  Misuse wrong = misuse(
      command, fmt::format("'{}' does not name one level: what it promises "
                           "depends on the database",
                           typed));
  for (std::size_t i = 0; i < sql.meanings.size(); ++i) {
    const SqlLevel::Meaning& meaning = sql.meanings[i];
    std::string line = fmt::format("  {:<{}}", sql_databases()[i], kCell - 2);
    if (!meaning.level.empty()) line += fmt::format("-i {}: ", meaning.level);
    line += meaning.how;
    wrong.details += wrapped_line(line, kLine, kCell) + "\n";
  }
  return wrong;
}

}  // namespace

Misuse misuse(std::string_view command, std::string message) {
  return {std::move(message), std::string(command)};
}

std::optional<std::uint32_t> number(const std::string& text) {
  std::uint32_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<Misuse> choose_format(std::string_view command,
                                    const std::string& name,
                                    const Format*& format) {
  if (name.empty()) return std::nullopt;
  format = find_row(formats(), name);
  if (format != nullptr) return std::nullopt;
  return misuse(command, unknown_name_message("format", name, formats()));
}

std::optional<Misuse> choose_threads(std::string_view command,
                                     const std::string& typed,
                                     unsigned& threads) {
  threads = default_threads();
  if (typed.empty()) return std::nullopt;
  const auto value = number(typed);
  if (!value || *value < 1 || *value > kMostThreads) {
    return misuse(command, fmt::format("--threads takes a number from 1 to {}; "
                                       "found '{}'",
                                       kMostThreads, typed));
  }
  threads = *value;
  return std::nullopt;
}

const Format* format_of_name(std::string_view path) {
  for (const std::string_view packed : {".gz", ".xz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  for (const Format& format : formats()) {
    if (!format.extension.empty() && path.ends_with(format.extension)) {
      return &format;
    }
  }
  return nullptr;
}

std::optional<Misuse> choose_report(std::string_view command,
                                    const std::string& output, bool json,
                                    const ReportFormat*& report) {
  report = find_row(reports(), output.empty() ? json ? "json" : "text"
                                              : std::string_view(output));
  if (report == nullptr && report_of_name(output) != nullptr) {
    return misuse(command, fmt::format("-o takes a kind of report; to write a "
                                       "file: --report {}",
                                       output));
  }
  if (report == nullptr) {
    return misuse(command, unknown_name_message("report", output, reports()));
  }
  if (json && report->name != "json") {
    return misuse(command, fmt::format("--json and -o {} exclude each other",
                                       report->name));
  }
  return std::nullopt;
}

std::optional<Misuse> choose_report_of(std::string_view command,
                                       const std::string& output, bool json,
                                       bool (*tells)(const ReportFormat& row),
                                       const ReportFormat*& report) {
  if (auto wrong = choose_report(command, output, json, report)) return wrong;
  if (tells(*report)) return std::nullopt;
  std::string known;
  for (const ReportFormat& row : reports()) {
    if (tells(row))
      known += (known.empty() ? "" : " or ") + std::string(row.name);
  }
  return misuse(command, fmt::format("{} prints {}, not {}", command, known,
                                     report->name));
}

std::optional<Misuse> choose_documents(std::string_view command,
                                       const std::string& output, bool json,
                                       const std::vector<std::string>& files,
                                       const std::string& limit,
                                       std::size_t histories,
                                       DocumentsPlan& plan) {
  if (auto wrong = choose_report(command, output, json, plan.output)) {
    return wrong;
  }
  if (files.size() > kMostReports) {
    return misuse(command, fmt::format("--report may be given at most {} times",
                                       kMostReports));
  }
  for (const std::string& path : files) {
    const ReportFormat* row = report_of_name(path);
    if (row == nullptr) {
      std::string known;
      for (const ReportFormat& each : reports()) {
        known += (known.empty() ? "" : ", ") + std::string(each.extension);
      }
      return misuse(command,
                    fmt::format("the name '{}' does not tell which report to "
                                "write; known endings: {}",
                                path, known));
    }
    for (const DocumentsPlan::File& other : plan.files) {
      if (same_place(other.path, path)) {
        return misuse(command,
                      fmt::format("'{}' can be written only once", path));
      }
    }
    plan.files.push_back({row, path});
  }
  std::vector<const ReportFormat*> rows = {plan.output};
  for (const DocumentsPlan::File& file : plan.files)
    rows.push_back(file.report);
  for (const ReportFormat* row : rows) {
    if (histories > 1 && !row->several) {
      return misuse(command,
                    fmt::format("a report as {} is about one history: check "
                                "them one at a time (--join is for the parts "
                                "of one recording)",
                                row->name));
    }
  }
  if (!limit.empty()) {
    const auto most = number(limit);
    if (!most) {
      return misuse(command, fmt::format("--limit takes a whole number, 0 for "
                                         "no limit; found '{}'",
                                         limit));
    }
    plan.options.limit = *most;
  }
  plan.options.several = histories > 1;
  plan.options.version = AWDIT_VERSION;
  return std::nullopt;
}

std::optional<Misuse> choose_places(std::string_view command,
                                    const std::vector<std::string>& files,
                                    const std::vector<std::string>& others) {
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (others[i].empty() || others[i] == "-") continue;
    const auto same = [&](const std::string& path) {
      return same_place(path, others[i]);
    };
    if (std::any_of(files.begin(), files.end(), same) ||
        std::any_of(others.begin(),
                    others.begin() + static_cast<std::ptrdiff_t>(i), same)) {
      return misuse(command,
                    fmt::format("'{}' can be written only once", others[i]));
    }
  }
  return std::nullopt;
}

std::optional<Misuse> choose_levels(std::string_view command,
                                    const std::vector<std::string>& lists,
                                    std::vector<Wanted>& chosen) {
  const std::span<const Level> table = levels();
  bool all = lists.empty();
  std::vector<bool> named(table.size(), false);
  for (const std::string& list : lists) {
    std::size_t from = 0;
    for (;;) {
      const std::size_t comma = list.find(',', from);
      const std::string word =
          list.substr(from, comma == std::string::npos ? comma : comma - from);
      if (plain_name(word) == "all") {
        all = true;
      } else if (word.empty()) {
        return misuse(command, fmt::format("'{}' names an empty level", list));
      } else if (const Level* level = find_named(table, word)) {
        named[static_cast<std::size_t>(level - table.data())] = true;
      } else if (const SqlLevel* sql = find_named(sql_levels(), word)) {
        return several_levels(command, word, *sql);
      } else {
        return misuse(command, unknown_name_message("level", word, table));
      }
      if (comma == std::string::npos) break;
      from = comma + 1;
    }
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (all || named[i]) chosen.push_back({&table[i], named[i]});
  }
  return std::nullopt;
}

std::vector<const Level*> asked_of(const std::vector<Wanted>& levels,
                                   const History& history) {
  std::vector<const Level*> asked;
  for (const Wanted& wanted : levels) {
    if (wanted.named || applies(*wanted.level, history)) {
      asked.push_back(wanted.level);
    }
  }
  return asked;
}

std::optional<Misuse> choose_search(std::string_view command,
                                    const SearchOptions& typed,
                                    Options& options, bool& session_order) {
  session_order = !typed.no_session_order;
  options.time_limit = kUsualTimeLimit;
  if (!typed.time_limit.empty()) {
    const auto seconds = parse_seconds(typed.time_limit);
    if (!seconds) {
      return misuse(command,
                    fmt::format("--time-limit takes seconds or a time, such as "
                                "90 or 2m, 0 for no limit; found '{}'",
                                typed.time_limit));
    }
    options.time_limit = *seconds;
  }
  if (typed.memory_limit.empty()) {
    options.memory_in_all = usual_memory_in_all();
  } else {
    const auto bytes = parse_count(typed.memory_limit);
    if (!bytes || (*bytes != 0 && *bytes < kLeastMemory)) {
      return misuse(command,
                    fmt::format("--memory-limit takes bytes, such as 512M or "
                                "4G, at least 1M, 0 for no limit; found '{}'",
                                typed.memory_limit));
    }
    options.memory_limit = *bytes;
  }
  return std::nullopt;
}

}  // namespace awdit::cli
