// The row functions of the markdown report; see report.h for their contracts.
#pragma once

#include "report/report.h"

namespace awdit {

void write_markdown(const Subject& subject, const Report& report,
                    const ReportOptions& options, Sink& sink);
void write_error_markdown(std::string_view path, const Error& error,
                          Sink& sink);

}  // namespace awdit
