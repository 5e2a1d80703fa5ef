// Deciding isolation levels. Front door.
//
// `check` decides, for each asked level, whether a history satisfies it, and
// returns evidence for every answer: a commit order where it holds, findings
// and cycles where it does not. The levels are rows of the table in
// levels.cpp; what a verdict means is written in docs/levels.
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
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "history/history.h"

namespace awdit {

// -- what can be wrong --------------------------------------------------------

enum class Kind : std::uint8_t {
  // Read Consistency: one finding at most per read, tested in this order.
  thin_air_read,
  aborted_read,
  future_read,
  own_write_ignored,
  stale_own_write,
  intermediate_read,
  duplicate_element,   // of lists only
  incompatible_order,  // of lists only
  // Read Atomic and above: one per read.
  non_repeatable_read,
  // A cycle in so u wr: one per strongly connected component.
  causality_cycle,
  // A cycle in the commit order that the level forces.
  non_monotonic_read,  // under read-committed
  fractured_read,      // under read-atomic
  causal_violation,    // under causal
  // Above causal. Two transactions read one version of a key and both wrote it.
  lost_update,
  // A cycle of dependencies that the level forbids, called after the
  // anti-dependencies in it and in what it rests on: docs/certificate.md. All
  // but
  // the first are found above causal only.
  dependency_cycle,     // none; of lists at any level
  read_skew,            // one
  long_fork,            // two, a read or session behind each, nothing else
  g_nonadjacent,        // several, no two of them adjacent
  write_skew,           // two, and nothing else
  g2_item,              // several, some of them adjacent
  real_time_violation,  // it needs real time
};

// A row per kind, in the order of the enumeration.
struct Anomaly {
  Kind kind;
  std::string_view name;      // "thin-air-read"
  std::string_view sentence;  // what it is, for a person
  // Names elsewhere, as every report prints them: "dirty read; Adya: G1a;
  // Plume: aborted read (TAP-b)". Semicolons between authors, commas between
  // names.
  std::string_view also;
  std::string_view example;  // a smallest history that has it (history/text.h)
  std::string_view more = {};  // names that no report prints, like `also`
};
std::span<const Anomaly> anomalies();
const Anomaly& anomaly(Kind kind);
// Its own name and those that `also` and `more` have.
std::vector<std::string_view> names_of(const Anomaly& row);

// -- evidence -----------------------------------------------------------------

// Why one transaction must come before another.
enum class Reason : std::uint8_t {
  session_order,  // `from` precedes `to` in one session, or `from` is init
  reads_from,     // `to` read (`read`) what `from` wrote (`write`)
  inferred,       // the level's axiom demands it, see Edge
  // Above causal only, but for version_order, which lists show at any level:
  real_time,        // `from` had ended before `to` began
  version_order,    // both wrote `key`, `from` before `to`: see Lemma
  anti_dependency,  // `from` read a version of `key` older than that of `to`
};

// A step of so u wr. A list that a transaction reads behind appends of its own
// is a read from the maker of the version before those.
struct Step {
  TxnId from;
  TxnId to;
  Reason reason = Reason::session_order;  // never inferred
  OpId write;  // reads_from: the write, none if `from` is init
  OpId read;   // reads_from: the read in `to`
};

// A step of a cycle. For an inferred edge, in the paper's names: t2 = from,
// t1 = to, t3 = reader. t3 reads `key` from t1 (`read`, which returned
// `write`); t2 also writes `key` (`other_write`); and t3 saw t2, as `seen`
// shows. Hence t2 must come before t1.
//   read-committed  seen is one reads_from step into t3, its read before `read`
//   read-atomic     seen is one step into t3
//   causal          seen is a path of steps from t2 to t3
//
// version_order: `write` is the write of `from` (none if it is init),
// `other_write` that of `to`, both the transaction's last of `key`.
// anti_dependency: `from` read `key` (`read`, which returned `write`, none if
// that is init's), `other_write` is the last write of `key` by `to`, another
// transaction, and comes after `write` in the order of versions.
struct Edge {
  TxnId from;
  TxnId to;
  Reason reason = Reason::session_order;
  OpId write;              // reads_from, inferred: none if the writer is init
  OpId read;               // reads_from, inferred, anti_dependency
  OpId other_write;        // inferred, version_order, anti_dependency
  TxnId reader;            // inferred
  KeyId key;               // inferred, version_order, anti_dependency
  std::vector<Step> seen;  // inferred
};

// Of two transactions that wrote a key, whose version is the older one. That
// init's is the oldest of all needs no lemma. Proven by contradiction: if it
// were the other way round, there would be the forbidden cycle `cycle`, given
// the lemmas before this one, and those in `under`, which may rest on that
// assumption as well. Of lists it may be plain to see instead, and up to causal
// it must be: then `shown` is a read whose list has an element of `older`, and
// either one of `newer` behind it or none of `newer` at all (the reader itself
// may be one of the two); `cycle` and `under` are empty.
// At most kDeepestLemma assumptions are made one within the other.
inline constexpr std::uint32_t kDeepestLemma = 256;
struct Lemma {
  KeyId key;
  TxnId older;  // not init
  TxnId newer;
  OpId shown;
  std::vector<Lemma> under;
  std::vector<Edge> cycle;
};

struct Violation {
  Kind kind;
  // Kinds about one read (thin_air_read ... non_repeatable_read):
  OpId read;  // the read that is wrong
  // The write it returned; none for thin air and init. Of a list: the append of
  // `element` (aborted_read, future_read, intermediate_read) or of its last
  // element; none for duplicate_element and incompatible_order.
  OpId write;
  // own_write_ignored, stale_own_write: the own write it should have returned;
  // intermediate_read: the writer's last write of the key; of a list, an append
  // of the writer to the key that is not at its place in relation to `element`;
  // incompatible_order: a read of the key that contradicts it;
  // non_repeatable_read: the transaction's first read of the key;
  // lost_update: the other transaction's read of the same version (`read` and
  // `other` are each transaction's first of the key, `read` < `other`).
  OpId other;
  // Of a list that is not empty, from 0: the first element that nobody wrote
  // (thin_air_read), only aborted ones did (aborted_read) or the reader itself
  // only later (future_read), one that is there without `other`
  // (intermediate_read), the first that is there already (duplicate_element),
  // the first that `other` does not have at its place (incompatible_order).
  std::uint32_t element = kNoId;
  // The other kinds: a cycle, edges[i].to == edges[i + 1].from, closed.
  std::vector<Edge> edges;
  // What its dependencies rest on, each only on those before it.
  std::vector<Lemma> lemmas = {};
};

// -- verdicts -----------------------------------------------------------------

enum class Verdict : std::uint8_t { holds, violated, undecided };
std::string_view name(Verdict verdict);

struct Level;

// Why a level is undecided.
enum class Limit : std::uint8_t {
  none,
  time,
  memory,
  proof,  // there is no order, but no proof either that `verify` would accept
};
std::string_view name(Limit limit);  // "time", ...; none: ""

struct LevelReport {
  const Level* level = nullptr;
  Verdict verdict = Verdict::undecided;
  // Empty unless it is violated. First those of weaker levels, then its own,
  // which none of them implies: check/ladder.h.
  std::vector<Violation> violations;
  std::size_t inherited = 0;  // how many of them are of weaker levels
  // There may be more of its own than are listed.
  bool more = false;
  // Reads that were left out while its own violations were looked for, because
  // the evidence of weaker levels rests on them; ascending. Those of findings,
  // which no level takes into account, are not among them.
  std::vector<OpId> set_aside;
  // If it holds and Options::commit_order: all committed and promoted
  // transactions in an order that satisfies the level (init left out).
  std::vector<TxnId> commit_order;
  // Likewise, of levels that speak of snapshots: [i] -> how many of the first
  // transactions of commit_order the snapshot of the i-th one contains.
  std::vector<std::uint32_t> snapshots;
  // The level whose answer implied this one, with its evidence; nullptr: it was
  // decided by itself.
  const Level* follows_from = nullptr;
  Limit limit = Limit::none;  // if undecided
};

struct Report {
  std::vector<LevelReport> levels;  // as asked
  // Unknown transactions that count as committed because a committed one read
  // from them; ascending.
  std::vector<TxnId> promoted;
  // Unknown transactions that nobody read from: left out of every verdict.
  std::uint32_t dropped = 0;
  // Reads of committed and promoted transactions: how many were judged.
  std::uint64_t reads = 0;
  // Options::time_limit: whoever tells the report may take as long again.
  double time_limit = 0;
};

struct Options {
  unsigned threads = 1;
  bool first = false;  // stop at the first violation of each level
  // Levels above a violated one are not searched for violations of their own.
  bool only_first_level = false;
  bool commit_order = false;  // fill LevelReport::commit_order
  // Operations that are worth a thread of their own. Changes no result.
  std::uint32_t grain = 1u << 14;
  // What a level may take: seconds, and bytes besides the history; or so that
  // the process has so many bytes in all. 0: no limit. Beyond it the level is
  // undecided.
  double time_limit = 0;
  std::uint64_t memory_limit = 0;
  std::uint64_t memory_in_all = 0;
};

// -- levels -------------------------------------------------------------------

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

class Index;
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
  Cycles cycles = Cycles::by_axiom;
  // Whether who ended before another began comes first. Needs times.
  bool real_time = false;
  void (*decide)(Index& index, const Options& options, LevelReport& report);
};

// Weakest first: a level comes after every level it implies.
std::span<const Level> levels();

// A name that SQL gives to levels: what it promises depends on the database.
struct SqlLevel {
  struct Meaning {
    std::string_view level;  // of levels(); "": none of them
    std::string_view how;    // it works there, or why there is none
  };
  std::string_view name;  // "repeatable-read"
  std::span<const std::string_view> aliases;
  std::span<const Meaning> meanings;  // one per database
};
std::span<const SqlLevel> sql_levels();
std::span<const std::string_view> sql_databases();

// Whether `strong` is `weak` or implies it, directly or not.
bool implies(const Level& strong, const Level& weak);

// Whether evidence that it holds has LevelReport::snapshots.
inline bool speaks_of_snapshots(const Level& level) {
  return level.cycles == Cycles::prefix || level.cycles == Cycles::snapshot;
}

// Whether the level can be asked of this history: it may need times.
bool applies(const Level& level, const History& history);
// All those, weakest first.
std::vector<const Level*> applicable_levels(const History& history);

// Fails on a malformed history: a value written twice to a key, so that reads
// of it cannot be attributed; and if a level does not apply. The error's
// `where` has no file name, only the line; the caller knows the file.
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
