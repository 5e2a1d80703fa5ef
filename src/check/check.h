// Deciding isolation levels. Front door.
//
// `check` decides, for each asked level, whether a history satisfies it, and
// returns evidence for every answer: a commit order where it holds, findings
// and cycles where it does not. The levels are rows of theory/levels.cpp; which
// engine decides which is in engines.cpp; what a verdict means is written in
// docs/levels.
//
// Cost: Read Committed and Read Atomic O(n^1.5), Causal O(n * k) for n
// operations and k sessions (Møldrup and Pavlogiannis, PLDI 2025), linear if
// the history is serial in the order of its input; of lists, also the sum of
// their lengths. The levels above Causal are NP-complete: O(n * k) for what can
// be inferred, then a search that Options can limit. Results do not depend on
// `threads`.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "base/work.h"
#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

struct Options {
  unsigned threads = 1;
  bool first = false;  // stop at the first violation of each level
  // Levels above a violated one are not searched for violations of their own.
  bool only_first_level = false;
  bool commit_order = false;  // fill LevelReport::commit_order
  // Operations that are worth a thread of their own. Changes no result.
  std::uint32_t grain = 1u << 14;
  // Without session order and with more transactions than that, sessions are
  // tried as a hint. Changes no verdict.
  std::uint32_t borrow_above = 256;
  // Of lists and with more transactions than that, if a level above causal is
  // violated only those on cycles are looked at. Changes no verdict, but which
  // violations are told of many.
  std::uint32_t tangles_above = 1u << 18;
  // With at least so many transactions, it is found out beforehand whether the
  // guessed order is worth mending. Changes no verdict.
  std::uint32_t disorder_above = 1u << 16;
  // What a level may take: seconds, and bytes besides the history; or so that
  // the process has that many bytes in all. 0: no limit. Beyond it the level is
  // undecided.
  double time_limit = 0;
  std::uint64_t memory_limit = 0;
  std::uint64_t memory_in_all = 0;
  // Besides, no more than the size of the history justifies: justified_memory.
  bool memory_by_size = false;
  // Learns which level is being decided. nullptr: nobody looks.
  Work* work = nullptr;
};

// What a level of this history may well need, in bytes, and hardly any needs:
// a gigabyte, and a thousand bytes for each operation and element of a list.
std::uint64_t justified_memory(const History& history);

// Fails on a malformed history: a value written twice to a key, so that reads
// of it cannot be attributed; and if a level does not apply. The error's
// `where` has no file name, only the line; the caller knows the file. Fails,
// too, if the work is cancelled.
Result<Report> check(const History& history,
                     std::span<const Level* const> asked,
                     const Options& options);

// -- what could have been seen ------------------------------------------------

// How many chances the history had to show a violation: triples of a committed
// (or promoted) transaction t3, a key x that it read from another one, and a
// transaction t2 other than t3 that writes x and that t3 has seen. Each read
// returned t2's value or a newer one, or broke the level.
struct Power {
  // t3 read from t2 before it read x.
  std::uint64_t non_monotonic_read = 0;
  // t3 read from t2, which is of another session; or t2 is the last transaction
  // before t3 in its own session that writes x.
  std::uint64_t fractured_read = 0;
  // t2 is the last transaction of its session that happens before t3 and writes
  // x. 0 if there is a causality cycle.
  std::uint64_t causal_violation = 0;
};

// Fails where check does. Cost: like deciding the three levels on a history
// that is not serial.
Result<Power> power(const History& history, unsigned threads);

}  // namespace awdit
