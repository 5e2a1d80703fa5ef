// The smallest part of a history that still shows a violation, as a history
// that can be written. Part of library/library.h.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/check.h"
#include "format/format.h"
#include "history/history.h"
#include "tell/tell.h"

namespace awdit {

struct SmallestPlan {
  std::vector<const Level*> levels;  // the weakest violated one is meant
  std::optional<Kind> kind = {};     // empty: the most basic one found there
  const Format* format = nullptr;    // it must fit in there; nullptr: it may be
                                     // any history
  Options options = {};
  // Learns what is being done: "checking", "shrinking".
  std::function<void(std::string_view stage)> stage = {};
};

struct Smallest {
  History part;
  const Level* level = nullptr;
  Kind kind{};
  std::string headline;             // one sentence
  std::vector<std::string> losses;  // what the format could not hold
  // Of the part, before it was made to fit.
  std::uint64_t operations = 0, transactions = 0;
  bool whole = false;    // nothing was left out
  bool minimal = false;  // nothing can be left out
  bool out_of_time = false;
};

// There is no such violation, or none is known because a level is undecided or
// time was over.
struct NoneFound {
  bool undecided = false;
  std::string why;
};

// One of them, or an error. What comes out violates the level with a violation
// of the kind if it is checked again; a format that cannot hold what this takes
// (aborted transactions, perhaps) is an error. REQUIRES: format can be written.
Outcome find_smallest(const History& history, const SmallestPlan& plan,
                      std::optional<Smallest>& smallest, NoneFound& none);

}  // namespace awdit
