// The row functions of the dot report; see report.h for their contracts.
#pragma once

#include "report/report.h"

namespace awdit {

void write_dot(const Subject& subject, const Report& report,
               const ReportOptions& options, Sink& sink);
void write_error_dot(std::string_view path, const Error& error, Sink& sink);

}  // namespace awdit
