// THE table of reports. A new one is a file in this folder and a row here.
#include "report/rows.h"

namespace awdit {
namespace {

constexpr std::string_view kMarkdownAliases[] = {"md"};
constexpr std::string_view kDotAliases[] = {"graphviz", "gv"};

constexpr ReportFormat kReports[] = {
    {.name = "text",
     .extension = ".txt",
     .summary = "for people: verdicts, evidence, one sentence",
     .open = open_text,
     .write_checks = write_checks_text,
     .write_stats = write_stats_text,
     .write_error = write_error_text},
    {.name = "json",
     .extension = ".json",
     .summary = "for programs: one object per history, on one line",
     // All that was found: there is nothing to be told.
     .open = pieces<write_json, write_error_json, 0>,
     .write_checks = write_checks_json,
     .write_stats = write_stats_json,
     .write_error = write_error_json},
    {.name = "html",
     .extension = ".html",
     .summary =
         "a page for a browser: lanes, arrows, the proof to step through",
     .several = false,
     // More would hardly find room.
     .open = pieces<write_html, write_error_html, 200>},
    {.name = "markdown",
     .aliases = kMarkdownAliases,
     .extension = ".md",
     .summary = "for a bug tracker or the summary of a CI job",
     .open = pieces<write_markdown, write_error_markdown>},
    {.name = "junit",
     .extension = ".xml",
     .summary = "for CI servers: a suite per history, a test per level",
     .open = open_junit},
    {.name = "sarif",
     .extension = ".sarif",
     .summary = "for code scanning: a result per kind and keys",
     .open = open_sarif},
    {.name = "edn",
     .extension = ".edn",
     .summary = "for Jepsen: a map as Elle returns it",
     .open = open_edn},
    {.name = "dot",
     .aliases = kDotAliases,
     .extension = ".dot",
     .summary = "for Graphviz: boxes, ports and arrows",
     .several = false,
     .open = pieces<write_dot, write_error_dot>},
    {.name = "svg",
     .extension = ".svg",
     .summary = "a picture with its proof; needs no other program",
     .several = false,
     .open = pieces<write_svg, write_error_svg>},
};

}  // namespace

std::span<const ReportFormat> reports() { return kReports; }

const ReportFormat* report_of_name(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  for (const ReportFormat& row : reports()) {
    // A file called ".md" has a name and no extension.
    if (file.size() > row.extension.size() && file.ends_with(row.extension)) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace awdit
