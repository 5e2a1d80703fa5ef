// What the part of a document that is about one history is made of. Private to
// src/report.
#pragma once

#include "base/json.h"
#include "history/text.h"
#include "report/rows.h"

namespace awdit {

// The base of those who write one. All of it outlives them.
class Piece {
 public:
  Piece(const Subject& subject, const Excerpt& shown,
        const ReportOptions& options, Sink& sink)
      : history_(subject.history),
        subject_(subject),
        report_(shown.all.report),
        shown_(shown),
        options_(options),
        sink_(sink) {}

 protected:
  const History& history_;
  const Subject& subject_;
  const Report& report_;
  const Excerpt& shown_;
  const ReportOptions& options_;
  Sink& sink_;
};

}  // namespace awdit
