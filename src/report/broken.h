// Which levels a violation breaks. Private to src/report.
//
// The level at which it was found is broken, and so is whatever implies it. But
// levels are no chain: a circle that breaks prefix consistency may break
// parallel snapshot isolation as well, and it may have been found at a stronger
// level because nobody asked for a weaker one. So the smallest part of the
// history that shows it is checked again, at every level. Cost: that of
// checking a few dozen operations; where there are more, the circle itself is
// looked at, which may leave out a level that is broken in some other way.
#pragma once

#include <span>
#include <vector>

#include "check/check.h"
#include "history/history.h"

namespace awdit {

// Of the levels that apply to the history, in the order of the table.
struct Broken {
  std::vector<const Level*> breaks, keeps;
};

// `ops`: a part that shows the violation by itself, ascending; or empty.
// `seconds`: that deciding it may take for each level; a level that takes
// longer is in neither list, unless it is known from others.
Broken broken_by(const History& history, const Level& level,
                 const Violation& violation, std::span<const OpId> ops,
                 double seconds);

// Those that imply no other one, and those that no other one implies.
std::vector<const Level*> weakest_of(const std::vector<const Level*>& levels);
std::vector<const Level*> strongest_of(const std::vector<const Level*>& levels);

}  // namespace awdit
