// The row functions of the text report; see report.h for their contracts.
#pragma once

#include "report/report.h"

namespace awdit {

std::unique_ptr<ReportWriter> open_text(const ReportOptions& options,
                                        Sink& sink);
void write_checks_text(const Subject& subject, std::string_view certificate,
                       std::span<const LevelCheck> checks,
                       const ReportOptions& options, Sink& sink);
void write_error_text(std::string_view path, const Error& error, Sink& sink);

}  // namespace awdit
