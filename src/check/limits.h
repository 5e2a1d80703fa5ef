// One level, decided within its limits of time and memory. Private to check/.
//
// Here ends what the parts of a decision throw when the budget is used up
// (base/budget.h) or memory runs out. The caller learns which limit it was;
// what was made halfway is forgotten, and the levels that were decided before
// are not touched.
//
// Time is counted from the beginning of each level; memory from what the
// process had before the first one, as what a level leaves behind for the next
// (Index::Known) is in use all the same.
#pragma once

#include <cstdint>
#include <functional>

#include "check/check.h"
#include "check/index.h"

namespace awdit {

class Limits {
 public:
  // REQUIRES: history and index are there, and no level has been decided yet.
  Limits(const History& history, const Options& options);

  // Calls body(), which decides a level or goes on with it, within a budget of
  // its own. Returns the limit that ended it before its time.
  Limit within(Index& index, const std::function<void()>& body) const;

 private:
  const Options& options_;
  const std::uint64_t in_use_;  // at the beginning
  std::uint64_t bytes_ = 0;     // beyond that; 0: no limit
};

}  // namespace awdit
