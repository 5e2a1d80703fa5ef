// THE table of reports. A new one is a file in this folder and a row here.
#include "report/html.h"
#include "report/json.h"
#include "report/report.h"
#include "report/stats.h"
#include "report/text.h"

namespace awdit {
namespace {

constexpr ReportFormat kReports[] = {
    {.name = "text",
     .aliases = {},
     .summary = "for people: verdicts, evidence, one sentence",
     .write = write_text,
     .write_checks = write_checks_text,
     .write_stats = write_stats_text,
     .write_error = write_error_text},
    {.name = "json",
     .aliases = {},
     .summary = "for programs: one object per history, on one line",
     .write = write_json,
     .write_checks = write_checks_json,
     .write_stats = write_stats_json,
     .write_error = write_error_json},
    {.name = "html",
     .aliases = {},
     .summary = "for people: one page with pictures, for a browser",
     .write = write_html,
     .write_checks = write_checks_html,
     .write_stats = write_stats_html,
     .write_error = write_error_html},
};

}  // namespace

std::span<const ReportFormat> reports() { return kReports; }

}  // namespace awdit
