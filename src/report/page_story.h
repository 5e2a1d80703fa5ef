// One story as a JSON object of the page's value (docs/page.schema.json).
// Private to src/report.
//
// Evidence of any length becomes an object of bounded size: of many
// transactions and steps the middle is left out and counted, long texts are
// cut. Whatever an arrow, a step or a version names is in the object.
#pragma once

#include <string>
#include <vector>

#include "history/history.h"
#include "report/page_versions.h"
#include "tell/tell.h"

namespace awdit {

// The operations of the story that a page shows: those that versions are
// looked up for; and the writes whose values these read, shown or not.
std::vector<OpId> page_ops(const History& history, const Story& story);

std::string page_story(const PageFrame& frame, const Story& story);

}  // namespace awdit
