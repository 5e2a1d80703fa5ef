// The row functions of the svg report; see report.h for their contracts.
#pragma once

#include "report/report.h"

namespace awdit {

void write_svg(const Subject& subject, const Report& report,
               const ReportOptions& options, Sink& sink);
void write_error_svg(std::string_view path, const Error& error, Sink& sink);

}  // namespace awdit
