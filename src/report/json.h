// The row functions of the json report; see report.h for their contracts.
#pragma once

#include "report/report.h"

namespace awdit {

void write_json(const Subject& subject, const Report& report,
                const ReportOptions& options, Sink& sink);
void write_checks_json(const Subject& subject, std::string_view certificate,
                       std::span<const LevelCheck> checks,
                       const ReportOptions& options, Sink& sink);
void write_error_json(std::string_view path, const Error& error, Sink& sink);

}  // namespace awdit
