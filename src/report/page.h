// The parts of a page, each in the file of its name: the JSON value that the
// page is made of (docs/page.schema.json). Private to src/report.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "report/arrows.h"
#include "report/page_versions.h"
#include "report/rows.h"

namespace awdit {

// page_json.cpp: one object, no line break. At most about 750 kB whatever the
// history: stories are added, worst first and every kind in turn, while there
// is room; the rest is counted. Cost: that of the told stories, and three walks
// over the column of operations.
WriteReport write_page_json;

// What the stories of a page have in common. All of it outlives them.
struct PageFrame {
  const History& history;
  const Report& report;
  const VersionsOfKeys& versions;
  std::int64_t first_time;  // the history's earliest begin, in its clock's unit
};

// page_story.cpp: the operations of the story that a page shows, those that
// versions are looked up for; and the writes whose values these read, shown or
// not.
std::vector<OpId> page_ops(const History& history, const Story& story);
// One story as a JSON object.
std::string page_story(const PageFrame& frame, const Story& story);

// page_order.cpp: transactions from left to right.
struct PageOrder {
  std::vector<TxnId> txns;  // init, if any, is first
  bool by_time = false;
};
PageOrder page_order(const History& history, std::span<const TxnId> shown,
                     std::span<const Arrow> arrows);

// page_strips.cpp: writes the field "versions": for each key of the story the
// versions around those that a shown transaction wrote or read. `shown` are the
// transactions on the page from left to right, possibly init among them.
void write_strips(const PageFrame& frame, const Story& story,
                  std::span<const TxnId> shown, JsonWriter& json);

}  // namespace awdit
