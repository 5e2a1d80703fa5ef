// Who wrote and who read each version of the keys that stories are about.
// Private to src/report.
//
// A key may have a million versions; those around the ones that a story names
// are kept, with their number among all of the key, so that a page can say how
// many it leaves out. They are numbered in the order in which their writers
// ended, if the history knows it of all that stories name; else in the order of
// the input. All keys of all stories are served by two walks over the column of
// operations, one for writes and one for reads. A write that no story names
// falls between two that are named: there it is counted, and remembered if it
// stands at either end. So memory is that of what is kept, never that of a
// popular key.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

struct Version {
  OpId write;                  // none: the initial state
  std::uint64_t number = 0;    // of the key, from 1; 0: initial
  std::vector<TxnId> readers;  // the first few, in the order of the input
  std::uint64_t num_readers = 0;
};

// The versions of a key that are worth a look, ascending by number.
struct KeyVersions {
  std::vector<Version> versions;
  std::uint64_t total = 0;  // written, the initial one not counted
  bool has_initial = false;
  // Numbers follow time. Writes whose time is not known or not comparable are
  // counted in `total` only.
  bool by_time = false;
};

// When a transaction took effect, as far as times tell: when it ended, or,
// where that was not seen, when it began. kNoTime: nothing is known.
std::int64_t moment_of(const History& history, TxnId txn);

using VersionsOfKeys = std::unordered_map<std::uint32_t, KeyVersions>;

// `ops` are those that stories name. [key] of theirs -> its versions.
VersionsOfKeys versions_of(const History& history, std::span<const OpId> ops);

// What the stories of a page have in common. All of it outlives them.
struct PageFrame {
  const History& history;
  const Report& report;
  const VersionsOfKeys& versions;
  std::int64_t first_time;  // the history's earliest begin, in its clock's unit
};

}  // namespace awdit
