// The page: one HTML file that needs nothing else. Private to src/report.
#pragma once

#include <string_view>

#include "report/report.h"

namespace awdit {

void write_html(const Subject& subject, const Report& report,
                const ReportOptions& options, Sink& sink);

// That there is no verdict, and why.
void write_error_html(std::string_view path, const Error& error, Sink& sink);

}  // namespace awdit
