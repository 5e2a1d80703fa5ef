#include "cli/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/parallel.h"
#include "base/table.h"

namespace awdit::cli {
namespace {

constexpr std::string_view kCheck = "awdit check";
constexpr std::string_view kVerify = "awdit verify";
// More threads than this help nobody and may not be had.
constexpr std::uint32_t kMostThreads = 1024;

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

// The levels named by "rc,ra"-like lists; every level if there are none.
std::optional<Misuse> choose_levels(const std::vector<std::string>& lists,
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
        return misuse(kCheck, fmt::format("'{}' names an empty level", list));
      } else if (const Level* level = find_row(table, word)) {
        wanted[static_cast<std::size_t>(level - table.data())] = true;
      } else {
        return misuse(kCheck, unknown_name_message("level", word, table));
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

std::optional<Misuse> choose_format(std::string_view command,
                                    const std::string& name,
                                    const Format*& format) {
  if (name.empty()) return std::nullopt;
  format = find_row(formats(), name);
  if (format != nullptr) return std::nullopt;
  return misuse(command, unknown_name_message("format", name, formats()));
}

const ReportFormat* choose_report(bool json) {
  return find_row(reports(), json ? "json" : "text");
}

Plan plan_check(CheckOptions typed, bool colour) {
  CheckPlan plan;
  if (typed.paths.empty()) {
    return misuse(kCheck,
                  "no history given: name a file, or - for standard input");
  }
  if (std::count(typed.paths.begin(), typed.paths.end(), "-") > 1) {
    return misuse(kCheck, "standard input (-) can be read only once");
  }
  if (auto wrong = choose_levels(typed.levels, plan.levels)) return *wrong;
  if (auto wrong = choose_format(kCheck, typed.format, plan.format)) {
    return *wrong;
  }
  plan.report_options.colour = colour && !typed.json;
  plan.report_options.first = typed.first;
  if (!typed.limit.empty()) {
    const auto limit = number(typed.limit);
    if (!limit) {
      return misuse(kCheck, fmt::format("--limit takes a whole number, 0 for "
                                        "no limit; found '{}'",
                                        typed.limit));
    }
    plan.report_options.limit = *limit;
  }
  plan.options.threads = default_threads();
  if (!typed.threads.empty()) {
    const auto threads = number(typed.threads);
    if (!threads || *threads < 1 || *threads > kMostThreads) {
      return misuse(kCheck, fmt::format("--threads takes a number from 1 to "
                                        "{}; found '{}'",
                                        kMostThreads, typed.threads));
    }
    plan.options.threads = *threads;
  }
  if (!typed.certificate.empty() && typed.paths.size() > 1) {
    return misuse(kCheck, "--certificate takes one history at a time");
  }
  plan.options.first = typed.first;
  plan.options.commit_order = !typed.certificate.empty();
  plan.report = choose_report(typed.json);
  plan.conclusions_only = typed.paths.size() > 1 && !typed.json;
  plan.certificate = std::move(typed.certificate);
  plan.paths = std::move(typed.paths);
  return plan;
}

Plan plan_verify(VerifyOptions typed, bool colour) {
  VerifyPlan plan;
  if (typed.history.empty() || typed.certificate.empty()) {
    return misuse(kVerify, "a history and its certificate are needed");
  }
  if (typed.history == "-" && typed.certificate == "-") {
    return misuse(kVerify, "standard input (-) can be read only once");
  }
  if (auto wrong = choose_format(kVerify, typed.format, plan.format)) {
    return *wrong;
  }
  plan.threads = default_threads();
  plan.report = choose_report(typed.json);
  plan.report_options.colour = colour && !typed.json;
  plan.history = std::move(typed.history);
  plan.certificate = std::move(typed.certificate);
  return plan;
}

struct ListRow {
  std::string_view name;
  std::span<const std::string_view> aliases;
  Listing what;
};
constexpr ListRow kLists[] = {{"levels", {}, Listing::levels},
                              {"formats", {}, Listing::formats},
                              {"anomalies", {}, Listing::anomalies}};

Plan plan_list(const ListOptions& typed) {
  const std::span<const ListRow> lists = kLists;
  if (typed.what.empty()) {
    return misuse("awdit list", "list what? levels, formats or anomalies");
  }
  if (const ListRow* row = find_row(lists, typed.what)) {
    return ListPlan{row->what};
  }
  return misuse("awdit list", unknown_name_message("list", typed.what, lists));
}

}  // namespace

Plan make_plan(Typed typed, bool colour) {
  if (auto* check = std::get_if<CheckOptions>(&typed)) {
    return plan_check(std::move(*check), colour);
  }
  if (auto* verify = std::get_if<VerifyOptions>(&typed)) {
    return plan_verify(std::move(*verify), colour);
  }
  if (auto* list = std::get_if<ListOptions>(&typed)) return plan_list(*list);
  if (auto* show = std::get_if<Show>(&typed)) return std::move(*show);
  return std::get<Misuse>(std::move(typed));
}

}  // namespace awdit::cli
