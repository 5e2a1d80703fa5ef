// awdit list: what the tables hold.
#include <fmt/format.h>
#include <unistd.h>

#include "base/fit.h"
#include "base/table.h"
#include "cli/command.h"
#include "cli/help_text.h"
#include "cli/values.h"
#include "driver/driver.h"
#include "format/format.h"
#include "report/report.h"
#include "theory/theory.h"
#include "workload/workload.h"

namespace awdit::cli {
namespace {

// "  (also: rc, ra)", or nothing.
std::string also_known_as(std::span<const std::string_view> aliases) {
  return aliases.empty() ? "" : fmt::format("  ({})", also(aliases));
}

std::string list_levels() {
  std::string text;
  for (const Level& level : levels()) {
    text +=
        fmt::format("{}{}\n    {}: {}\n", level.name,
                    also_known_as(level.aliases), level.title, level.summary);
    for (std::size_t i = 0; i < level.implies.size(); ++i) {
      text += fmt::format("{}{}", i == 0 ? "    Implies: " : ", ",
                          level.implies[i]);
    }
    if (!level.implies.empty()) text += '\n';
    if (level.real_time) {
      text += "    Needs the times when transactions began and ended\n";
    }
    text += fmt::format("    Source: {}\n", level.source);
  }
  return text;
}

// What has a name and a summary, and nothing else to tell.
template <typename Row>
std::string list_summaries(std::span<const Row> rows) {
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{}{}\n    {}\n", row.name, also_known_as(row.aliases),
                        row.summary);
  }
  return text;
}

std::string list_formats() { return list_summaries(formats()); }
std::string list_faults() { return list_summaries(faults()); }

std::string list_anomalies() {
  std::string text;
  for (const Anomaly& row : anomalies()) {
    text += fmt::format("{}\n    {}\n", row.name, row.sentence);
    if (!row.also.empty()) text += fmt::format("    Also: {}\n", row.also);
  }
  return text;
}

std::string list_reports() {
  std::string text;
  for (const ReportFormat& row : reports()) {
    text += fmt::format("{}{}\n    {}: {}\n", row.name,
                        also_known_as(row.aliases), row.extension, row.summary);
  }
  return text;
}

std::string list_drivers() {
  std::string text;
  for (const Driver& driver : drivers()) {
    text += fmt::format(
        "{}{}{}\n    {}\n", driver.name, also_known_as(driver.aliases),
        driver.open == nullptr ? fmt::format("  not built ({})", driver.package)
                               : std::string(),
        driver.summary);
    for (const Promise& level : driver.levels) {
      text += fmt::format("    --level {}{}: {}\n", level.name,
                          also_known_as(level.aliases), level.summary);
    }
    for (const Knob& knob : driver.knobs) {
      text += fmt::format("    --set {}={}: {}\n", knob.name, knob.values,
                          knob.summary);
    }
  }
  return text;
}

std::string list_workloads() {
  std::string text;
  for (const WorkloadKind& row : workloads()) {
    text += fmt::format("{}{}\n    {}\n    Shows: {}\n", row.name,
                        also_known_as(row.aliases), row.summary, row.exposes);
    for (const Setting& setting : row.settings) {
      text += fmt::format("    -p {}={}: {}\n", setting.name, setting.value,
                          setting.summary);
    }
  }
  return text;
}

std::string list_bugs() {
  std::string text;
  for (const PlantedBug& row : planted_bugs()) {
    text += fmt::format(
        "{}{}\n    {}\n    Breaks: {} ({})\n    Shows if a workload {}\n",
        row.name, also_known_as(row.aliases), row.summary, row.breaks,
        row.anomaly, row.needs);
  }
  return text;
}

struct Listing {
  std::string_view name;
  std::span<const std::string_view> aliases;
  std::string (*text)();
};
constexpr Listing kListings[] = {
    {"levels", {}, list_levels},       {"formats", {}, list_formats},
    {"anomalies", {}, list_anomalies}, {"reports", {}, list_reports},
    {"drivers", {}, list_drivers},     {"workloads", {}, list_workloads},
    {"faults", {}, list_faults},       {"bugs", {}, list_bugs}};

// "levels, formats or anomalies"
std::string all_names() {
  std::string text;
  for (const Listing& row : kListings) {
    if (!text.empty()) text += &row == &std::end(kListings)[-1] ? " or " : ", ";
    text += row.name;
  }
  return text;
}

class List : public Task {
 public:
  explicit List(Grammar& grammar) {
    grammar.argument("WHAT", wrapped_line(all_names(), 56, 0), what_,
                     names_of(std::span<const Listing>(kListings)));
  }

  Wrong settle() override {
    const std::span<const Listing> rows = kListings;
    if (what_.empty()) {
      return Misuse{fmt::format("list what? {}", all_names())};
    }
    listing_ = find_row(rows, what_);
    if (listing_ != nullptr) return std::nullopt;
    return Misuse{unknown_name_message("list", what_, rows)};
  }

  Result<Exit> run(Output& out) override {
    out.print(fitted(listing_->text(), STDOUT_FILENO));
    return Exit::ok;
  }

 private:
  std::string what_;
  const Listing* listing_ = nullptr;
};

}  // namespace

const Command kListCommand = {"list", "List levels, drivers, workloads, ...",
                              make<List>};

}  // namespace awdit::cli
