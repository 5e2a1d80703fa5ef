// awdit list: what the tables hold.
#include <fmt/format.h>

#include "cli/commands.h"

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
    text += fmt::format("{}{}\n    {}: {}\n    Source: {}\n", level.name,
                        also(level.aliases), level.title, level.summary,
                        level.source);
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

}  // namespace

Exit run_list(const ListPlan& plan, Output& out) {
  switch (plan.what) {
    case Listing::levels:
      out.print(list_levels());
      break;
    case Listing::formats:
      out.print(list_formats());
      break;
    case Listing::anomalies:
      out.print(list_anomalies());
      break;
    case Listing::reports:
      out.print(list_reports());
      break;
  }
  return Exit::ok;
}

}  // namespace awdit::cli
