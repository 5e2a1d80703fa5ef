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
  by_axiom,  // read-committed, read-atomic, causal and below
  prefix,    // each anti-dependency directly behind so, wr or real time
  parallel,  // at most one anti-dependency
  snapshot,  // no two adjacent anti-dependencies
  all,       // any
};

// Whom t3 has seen, in the axiom of a level: if t3 reads x from t1 and has seen
// t2, which also writes x, then t2 comes before t1 in the commit order.
enum class Premise : std::uint8_t {
  nobody,       // there is no such axiom
  read_before,  // whom it read from before it read x
  direct,       // whom it read from, and who precedes it in its session
  depends_on,   // on whom it depends, through sessions and reads
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
  // What a commit-order cycle is called at this level; above causal: what is
  // typical of it.
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

// Whether the level can be asked of this history: it may need times.
bool applies(const Level& level, const History& history);
// All those, weakest first.
std::vector<const Level*> applicable_levels(const History& history);

}  // namespace awdit
