// The strips of versions of a story, as a JSON field. Private to src/report.
#pragma once

#include <span>

#include "base/json.h"
#include "history/history.h"
#include "report/page_versions.h"
#include "tell/tell.h"

namespace awdit {

// Writes the field "versions": for each key of the story the versions around
// those that a shown transaction wrote or read. `shown` are the transactions on
// the page from left to right, possibly init among them.
void write_strips(const PageFrame& frame, const Story& story,
                  std::span<const TxnId> shown, JsonWriter& json);

}  // namespace awdit
