// The isolation levels: what they are called and what they demand, not how they
// are decided. Private to theory/; others include theory/theory.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "history/history.h"
#include "theory/anomalies.h"

namespace awdit {

// What a level demands beyond its axiom on so u wr: which cycles of
// dependencies (so, reads-from, version order, anti-dependency, real time) are
// forbidden.
enum class Cycles : std::uint8_t {
  by_axiom,  // causal and below
  prefix,    // each anti-dependency directly behind so, wr or real time
  parallel,  // at most one anti-dependency
  snapshot,  // no two adjacent anti-dependencies
  all,       // any
};

// Whom the axiom of a level on so u wr takes a transaction t3 to have seen: if
// t3 reads x from t1 and has seen t2, another one that writes x, then t2 comes
// before t1. a;b is first a, then b.
enum class Premise : std::uint8_t {
  nobody,        // there is no axiom; above causal it is told in other words
  read_before,   // wr, by a read of t3 that comes before the one of x
  session,       // so
  read_session,  // wr;so
  session_read,  // so;wr
  read_read,     // wr;so?;wr
  direct,        // so u wr
  depends_on,    // any number of these, one after the other
};

struct Level {
  std::string_view name;
  std::span<const std::string_view> aliases;
  std::string_view title;    // "Read Committed"
  std::string_view summary;  // what it promises, one sentence
  std::string_view rule;     // what it demands, in full sentences
  // A small history that breaks it and no weaker level (history/text.h).
  std::string_view example;
  std::string_view source;  // where the definition is from
  // Levels directly below: each history that satisfies this one satisfies them.
  std::span<const std::string_view> implies;
  // What a commit-order cycle is called that needs this level's axiom; above
  // causal: what is typical of it.
  Kind cycle;
  Premise premise = Premise::nobody;
  Cycles cycles = Cycles::by_axiom;
  // Whether who ended before another began comes first. Needs times.
  bool real_time = false;
  // Whether it is this level that demands that a transaction's reads of one key
  // return one version; those above demand it with it.
  bool repeatable_reads = false;
};

// Weakest first: a level comes after every level it implies.
std::span<const Level> levels();

// Whether evidence that it holds has LevelReport::snapshots.
inline bool speaks_of_snapshots(const Level& level) {
  return level.cycles == Cycles::prefix || level.cycles == Cycles::snapshot;
}

// Whether it is one of the four of Terry et al.
inline bool is_session_guarantee(const Level& level) {
  return level.premise >= Premise::session &&
         level.premise <= Premise::read_read;
}

// Whether it is a promise to sessions, which means nothing without their order.
// (Others just demand less then.)
inline bool needs_session_order(const Level& level) {
  return level.premise == Premise::session ||
         level.premise == Premise::read_session ||
         level.premise == Premise::session_read;
}

// Whether the level can be asked of this history: it may need times, or session
// order.
bool applies(const Level& level, const History& history);
// All those, weakest first.
std::vector<const Level*> applicable_levels(const History& history);

}  // namespace awdit
