// The row function of the sarif report; see report.h for its contract.
#pragma once

#include "report/report.h"

namespace awdit {

std::unique_ptr<ReportWriter> open_sarif(const ReportOptions& options,
                                         Sink& sink);

}  // namespace awdit
