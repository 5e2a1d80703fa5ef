// The JSON value that a page is made of: docs/page.schema.json. Private to
// src/report.
#pragma once

#include "base/sink.h"
#include "report/report.h"
#include "tell/tell.h"

namespace awdit {

// One object, no line break. At most about 750 kB whatever the history: stories
// are added, worst first and every kind in turn, while there is room; the rest
// is counted. Cost: that of the told stories, and three walks over the column
// of operations.
void write_page_json(const Subject& subject, const Excerpt& shown,
                     const ReportOptions& options, Sink& sink);

}  // namespace awdit
