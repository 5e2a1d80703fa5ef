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
// their lengths. Results do not depend on `threads`.
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
};

// A row per kind, in the order of the enumeration.
struct Anomaly {
  Kind kind;
  std::string_view name;      // "thin-air-read"
  std::string_view sentence;  // what it is, for a person
  std::string_view also;      // names elsewhere: Adya's, Plume's
  std::string_view example;   // a smallest history that has it (history/text.h)
};
std::span<const Anomaly> anomalies();
const Anomaly& anomaly(Kind kind);

// -- evidence -----------------------------------------------------------------

// Why one transaction must come before another.
enum class Reason : std::uint8_t {
  session_order,  // `from` precedes `to` in one session, or `from` is init
  reads_from,     // `to` read (`read`) what `from` wrote (`write`)
  inferred,       // the level's axiom demands it, see Edge
};

// A step of so u wr.
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
struct Edge {
  TxnId from;
  TxnId to;
  Reason reason = Reason::session_order;
  OpId write;              // reads_from, inferred: none if the writer is init
  OpId read;               // reads_from, inferred
  OpId other_write;        // inferred
  TxnId reader;            // inferred
  KeyId key;               // inferred
  std::vector<Step> seen;  // inferred
};

struct Violation {
  Kind kind;
  // Kinds about one read (thin_air_read ... non_repeatable_read):
  OpId read;  // the read that is wrong
  // The write it returned; none for thin air and init. Of a list: the write of
  // its last element, or (aborted_read) of `element`; none for
  // duplicate_element and incompatible_order.
  OpId write;
  // own_write_ignored, stale_own_write: the own write it should have returned;
  // intermediate_read: the writer's last write of the key;
  // incompatible_order: a read of the key that contradicts it;
  // non_repeatable_read: the transaction's first read of the key.
  OpId other;
  // Of a list that is not empty, from 0: the first element that nobody wrote
  // (thin_air_read) or only aborted ones did (aborted_read), the first that is
  // there already (duplicate_element), the first that `other` does not have at
  // its place (incompatible_order).
  std::uint32_t element = kNoId;
  // The other kinds: a cycle, edges[i].to == edges[i + 1].from, closed.
  std::vector<Edge> edges;
};

// -- verdicts -----------------------------------------------------------------

enum class Verdict : std::uint8_t { holds, violated, undecided };
std::string_view name(Verdict verdict);

struct Level;

struct LevelReport {
  const Level* level = nullptr;
  Verdict verdict = Verdict::undecided;
  std::vector<Violation> violations;  // empty iff it holds
  // If it holds and Options::commit_order: all committed and promoted
  // transactions in an order that satisfies the level (init left out).
  std::vector<TxnId> commit_order;
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
};

struct Options {
  unsigned threads = 1;
  bool first = false;         // stop at the first violation of each level
  bool commit_order = false;  // fill LevelReport::commit_order
  // Operations that are worth a thread of their own. Changes no result.
  std::uint32_t grain = 1u << 14;
};

// -- levels -------------------------------------------------------------------

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
  Kind cycle;  // what a commit-order cycle is called at this level
  void (*decide)(Index& index, const Options& options, LevelReport& report);
};

// Weakest first: a level comes after every level it implies.
std::span<const Level> levels();

// Whether `strong` is `weak` or implies it, directly or not.
bool implies(const Level& strong, const Level& weak);

// Fails on a malformed history: a value written twice to a key, so that reads
// of it cannot be attributed. The error's `where` has no file name, only the
// line; the caller knows the file.
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
