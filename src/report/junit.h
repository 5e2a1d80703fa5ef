// The row function of the junit report; see report.h for its contract.
#pragma once

#include "report/report.h"

namespace awdit {

std::unique_ptr<ReportWriter> open_junit(const ReportOptions& options,
                                         Sink& sink);

}  // namespace awdit
