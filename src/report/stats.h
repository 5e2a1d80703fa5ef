// The row functions of the reports for statistics; see report.h for their
// contract. Private to src/report.
#pragma once

#include "report/report.h"

namespace awdit {

void write_stats_text(const Subject& subject, const Stats& stats,
                      const ReportOptions& options, Sink& sink);
void write_stats_json(const Subject& subject, const Stats& stats,
                      const ReportOptions& options, Sink& sink);

}  // namespace awdit
