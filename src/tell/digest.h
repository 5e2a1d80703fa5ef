// Which findings are worth a reader's time. Part of tell/tell.h.
//
// A finding that breaks a weak level breaks the stronger ones as well, and the
// check reports it at each of them. A person wants it once, at the weakest
// level asked for, and afterwards only the remark that it is the same again.
// Two findings are the same if they are of one kind and about the same read, or
// cycles through the same transactions by the same reads. Cost: O(findings)
// time, eight bytes or so per distinct one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

struct LevelDigest {
  // Findings that no level before this one has; they point into the Report.
  std::vector<const Violation*> fresh;
  // [kind] -> how many of these
  std::vector<std::uint64_t> of_kind;
  // Findings that a level before this one has, or a weaker one that was not
  // asked for: how many of a kind come from which, in their order.
  struct Share {
    const Level* level;
    Kind kind;
    std::uint64_t count;
    bool implied;  // by the level that has it as well
  };
  std::vector<Share> shares;
  std::uint64_t inherited = 0;  // all of them
  bool more = false;            // there may be more than are listed
};

// [level as in the report]. The report must outlive the result.
std::vector<LevelDigest> digest(const Report& report);

// How the transactions of a history ended.
struct Tally {
  std::uint64_t committed = 0;
  std::uint64_t aborted = 0;
  std::uint64_t unknown = 0;
  std::uint64_t reads = 0;  // of committed and promoted transactions
};
Tally tally(const History& history, const Report& report);

// Sessions of the input, whether or not their order counts. O(sessions).
std::uint32_t num_sessions(const History& history);

// "1 causal violation", "3 own writes ignored"
std::string count(std::uint64_t number, Kind kind);
// "1 session", "4 sessions"
std::string count(std::uint64_t number, std::string_view noun);
// "Causal violation"
std::string title(Kind kind);

}  // namespace awdit
