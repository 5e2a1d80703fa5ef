// A report about one history as a string: checked before, told here.
#pragma once

#include <memory>
#include <string>

#include "report/report.h"
#include "tell/tell.h"

namespace awdit {

// The document about stories that were told already.
inline std::string rendered(const ReportFormat& row, const Subject& subject,
                            const Stories& told,
                            const ReportOptions& options = {}) {
  std::string text;
  {
    Sink sink(text);
    const std::unique_ptr<ReportWriter> writer = row.open(options, sink);
    writer->add(subject, told);
    writer->end();
  }
  return text;
}

inline std::string rendered(const ReportFormat& row, const Subject& subject,
                            const Report& report,
                            const ReportOptions& options = {}) {
  std::string ignored;
  Sink sink(ignored);
  return rendered(
      row, subject,
      stories(subject.history, report, row.open(options, sink)->groups()),
      options);
}

}  // namespace awdit
