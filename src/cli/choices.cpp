#include "cli/choices.h"

#include <fmt/format.h>

#include <charconv>

#include "base/parallel.h"
#include "base/table.h"

namespace awdit::cli {
namespace {

// More threads than this help nobody and may not be had.
constexpr std::uint32_t kMostThreads = 1024;
// As many as AtomicFile can watch over, less one for a certificate.
constexpr std::size_t kMostReports = 15;

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
    return misuse(command, fmt::format("--report can stand there {} times",
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
      if (other.path == path) {
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

std::optional<Misuse> choose_levels(std::string_view command,
                                    const std::vector<std::string>& lists,
                                    std::vector<const Level*>& chosen) {
  const std::span<const Level> table = levels();
  std::vector<bool> wanted(table.size(), lists.empty());
  for (const std::string& list : lists) {
    std::size_t from = 0;
    for (;;) {
      const std::size_t comma = list.find(',', from);
      const std::string word =
          list.substr(from, comma == std::string::npos ? comma : comma - from);
      if (word == "all") {
        wanted.assign(table.size(), true);
      } else if (word.empty()) {
        return misuse(command, fmt::format("'{}' names an empty level", list));
      } else if (const Level* level = find_row(table, word)) {
        wanted[static_cast<std::size_t>(level - table.data())] = true;
      } else {
        return misuse(command, unknown_name_message("level", word, table));
      }
      if (comma == std::string::npos) break;
      from = comma + 1;
    }
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (wanted[i]) chosen.push_back(&table[i]);
  }
  return std::nullopt;
}

}  // namespace awdit::cli
