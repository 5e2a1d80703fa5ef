// The row function of the edn report; see report.h for its contract.
#pragma once

#include "report/report.h"

namespace awdit {

std::unique_ptr<ReportWriter> open_edn(const ReportOptions& options,
                                       Sink& sink);

}  // namespace awdit
