// awdit list: what the tables hold.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "simulated/simulated.h"

namespace awdit::cli {
namespace {

std::string also(std::span<const std::string_view> aliases) {
  std::string text;
  for (std::string_view alias : aliases) {
    text += text.empty() ? "  (also: " : ", ";
    text += alias;
  }
  if (!text.empty()) text += ')';
  return text;
}

std::string list_levels() {
  std::string text;
  for (const Level& level : levels()) {
    text += fmt::format("{}{}\n    {}: {}\n", level.name, also(level.aliases),
                        level.title, level.summary);
    for (std::size_t i = 0; i < level.implies.size(); ++i) {
      text += fmt::format("{}{}", i == 0 ? "    Implies: " : ", ",
                          level.implies[i]);
    }
    if (!level.implies.empty()) text += '\n';
    if (level.real_time) {
      text += "    Needs to know when transactions began and ended\n";
    }
    text += fmt::format("    Source: {}\n", level.source);
  }
  return text;
}

std::string list_formats() {
  std::string text;
  for (const Format& format : formats()) {
    text += fmt::format("{}{}\n    {}\n", format.name, also(format.aliases),
                        format.summary);
  }
  return text;
}

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
    text += fmt::format("{}{}\n    {}: {}\n", row.name, also(row.aliases),
                        row.extension, row.summary);
  }
  return text;
}

std::string list_drivers() {
  std::string text;
  for (const Driver& driver : drivers()) {
    text += fmt::format("{}{}{}\n    {}\n", driver.name, also(driver.aliases),
                        driver.open == nullptr
                            ? fmt::format("  not built ({})", driver.package)
                            : std::string(),
                        driver.summary);
    for (const Promise& level : driver.levels) {
      text += fmt::format("    --level {}{}: {}\n", level.name,
                          also(level.aliases), level.summary);
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
                        also(row.aliases), row.summary, row.exposes);
    for (const Setting& setting : row.settings) {
      text += fmt::format("    -p {}={}: {}\n", setting.name, setting.value,
                          setting.summary);
    }
  }
  return text;
}

std::string list_faults() {
  std::string text;
  for (const FaultKind& row : faults()) {
    text +=
        fmt::format("{}{}\n    {}\n", row.name, also(row.aliases), row.summary);
  }
  return text;
}

std::string list_bugs() {
  std::string text;
  for (const PlantedBug& row : planted_bugs()) {
    text += fmt::format(
        "{}{}\n    {}\n    Breaks: {} ({})\n    Shows if a workload {}\n",
        row.name, also(row.aliases), row.summary, row.breaks, row.anomaly,
        row.needs);
  }
  return text;
}

}  // namespace

Exit run_list(const ListPlan& plan, Output& out) {
  const auto print = [&](const std::string& text) {
    out.print(fitted(text, STDOUT_FILENO));
  };
  switch (plan.what) {
    case Listing::levels:
      print(list_levels());
      break;
    case Listing::formats:
      print(list_formats());
      break;
    case Listing::anomalies:
      print(list_anomalies());
      break;
    case Listing::reports:
      print(list_reports());
      break;
    case Listing::drivers:
      print(list_drivers());
      break;
    case Listing::workloads:
      print(list_workloads());
      break;
    case Listing::faults:
      print(list_faults());
      break;
    case Listing::bugs:
      print(list_bugs());
      break;
  }
  return Exit::ok;
}

}  // namespace awdit::cli
