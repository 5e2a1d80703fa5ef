// The page: one HTML file that needs nothing else. Private to src/report.
#pragma once

#include <string_view>

#include "report/report.h"

namespace awdit {

void write_html(const Subject& subject, const Report& report,
                const ReportOptions& options, Sink& sink);

// Only checks have a page; these write nothing.
void write_checks_html(const Subject& subject, std::string_view certificate,
                       std::span<const LevelCheck> checks,
                       const ReportOptions& options, Sink& sink);
void write_stats_html(const Subject& subject, const Stats& stats,
                      const ReportOptions& options, Sink& sink);
void write_error_html(std::string_view path, const Error& error, Sink& sink);

}  // namespace awdit
