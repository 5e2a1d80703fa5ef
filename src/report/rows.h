// What the table of reports points at; each is in the file of its report's
// name. Private to src/report.
#pragma once

#include <cstdint>
#include <memory>

#include "report/report.h"

namespace awdit {

OpenReport open_edn, open_junit, open_sarif, open_text;

using WriteReport = void(const Subject& subject, const Excerpt& shown,
                         const ReportOptions& options, Sink& sink);
WriteReport write_dot, write_html, write_json, write_markdown, write_svg;
WriteError write_error_dot, write_error_html, write_error_json,
    write_error_markdown, write_error_svg, write_error_text;

WriteChecks write_checks_json, write_checks_text;
WriteStats write_stats_json, write_stats_text;

// As many groups as were asked for.
inline std::uint32_t asked_groups(const ReportOptions& options) {
  return options.limit == 0 ? kAllGroups : options.limit;
}

// Opens a document that is its pieces, one after the other. `groups`: of each
// kind, whatever was asked for; kAllGroups: as asked for.
template <WriteReport* piece, WriteError* error_piece,
          std::uint32_t groups = kAllGroups>
std::unique_ptr<ReportWriter> pieces(const ReportOptions& options, Sink& sink) {
  class Pieces : public ReportWriter {
   public:
    using ReportWriter::ReportWriter;
    void write(const Subject& subject, const Excerpt& shown) override {
      piece(subject, shown, options_, sink_);
    }
    void add_error(std::string_view path, const Error& error) override {
      error_piece(path, error, sink_);
    }
  };
  return std::make_unique<Pieces>(
      options, sink, groups == kAllGroups ? asked_groups(options) : groups);
}

}  // namespace awdit
