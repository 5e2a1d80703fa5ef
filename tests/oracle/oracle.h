// The slow twins of src/check: every level straight from its definition, with
// maps, sets and matrices, and nothing shared with the checker but the names
// of levels and kinds. Linked by tests only.
//
//   resolve       who counts as committed, who wrote what a read returned, and
//                 the findings of Read Consistency (lists: list_findings.cpp)
//   satisfies     whether one given commit order obeys a level's axiom
//   brute_force   whether some commit order does: tries all of them
//   saturate      the kinds and counts of findings, by inferring every edge
//                 that the axiom allows and closing the relation (Warshall);
//                 up to causal only
//   by_versions   above causal: whether some order of the versions of each key
//                 leaves no forbidden cycle of dependencies: tries all of them
//
// brute_force and saturate read the axioms in two different ways on purpose:
// the first evaluates them against an order, the second turns them into edges.
// So do brute_force and by_versions: Biswas and Enea's axioms against the
// characterisations by graphs of Adya, Cerone and Gotsman. Two more, for
// histories that are too large for these: see search.h.
//
// Of histories of lists a commit order decides which list each key has when, so
// that nobody needs to be told where a list came from: brute_force, satisfies,
// replays, by_versions and frontier_search walk along an order, append, and
// look whether each read returned what was there (list_replay.cpp,
// list_frontier.cpp); they know nothing of findings. saturate and
// closure_search do not walk: they take lists apart into whole blocks, and what
// stands before what for known (Facts::listed).
// Cost: brute_force O(txns!), saturate O(txns^3), by_versions the product of
// writers! over the keys.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/check.h"
#include "history/history.h"

namespace awdit::oracle {

// Transactions, operations and keys are plain indices of the history here; the
// initial transaction is number `Facts::init`.
inline constexpr std::uint32_t kNone = kNoId;

// A finding of the kind at that read; cycles have no read (kNone).
using Finding = std::pair<Kind, std::uint32_t>;
using Findings = std::multiset<Finding>;

// Of a list: its elements, numbered so that equal atoms have equal numbers.
using List = std::vector<std::uint32_t>;

// A read of a list, as the history has it.
struct ListRead {
  std::uint32_t op;
  std::uint32_t reader;
  std::uint32_t key;
  List own;   // what the reader had appended to the key by then
  List list;  // what the read returned
};

// A read without a finding that was answered by another transaction, wholly or
// (lists, after own appends) as far as its list was not the reader's own:
// t_writer wr_key t_reader.
struct Read {
  std::uint32_t op;
  std::uint32_t reader;
  std::uint32_t writer;
  std::uint32_t key;
  // Reads the key from another writer than the transaction's first such read.
  bool repeats_differently = false;
};

struct Facts {
  // Two committed-or-promoted writes of one value to one key: no verdict.
  bool malformed = false;
  std::uint32_t init = 0;
  std::vector<std::uint32_t> session;  // [txn]
  std::set<std::uint32_t> live;        // committed and promoted
  std::set<std::uint32_t> promoted;
  std::vector<Read> reads;                                   // by operation
  std::map<std::uint32_t, std::set<std::uint32_t>> writers;  // key -> txns
  Findings read_findings;  // Read Consistency only
  // incompatible_order: read -> the read that its list is measured by
  std::map<std::uint32_t, std::uint32_t> longest_list;
  // [txn] -> the live transactions (and init) that precede it, for live ones:
  std::vector<std::set<std::uint32_t>>
      directly_before;                        // by one step of so, wr
  std::vector<std::set<std::uint32_t>> past;  // by any number
  // [txn] -> the live transactions that had ended before it began
  std::vector<std::set<std::uint32_t>> ended_before;
  // Of lists, for live transactions:
  bool lists = false;
  std::uint32_t keys = 0;  // how many
  // [txn] -> key -> all that it appends, in program order
  std::vector<std::map<std::uint32_t, List>> blocks;
  std::vector<std::vector<ListRead>> list_reads;  // [txn], in program order
  // Two writers of `key`, the first of whom has an element in a list without a
  // finding, while the second has none there, or only behind it.
  struct Listed {
    std::uint32_t key, older, newer;
    friend auto operator<=>(const Listed&, const Listed&) = default;
  };
  std::set<Listed> listed;

  bool writes(std::uint32_t txn, std::uint32_t key) const;
  // Session order: also init before everybody.
  bool so(std::uint32_t before, std::uint32_t after) const;
};

Facts resolve(const History& history);

// A total order of the live transactions: [txn] -> rank, init has rank 0.
using Ranks = std::vector<std::size_t>;
using Matrix = std::vector<std::vector<bool>>;

// What a transaction reads, given a commit order, above causal.
enum class Reads : std::uint8_t {
  by_axiom,  // causal and below
  prefix,    // a first part of the commits
  parallel,  // nothing older than what it depends on, also by overwriting
  snapshot,  // a first part, with all earlier writers of what it writes
  serial,    // all commits before
};

// One row per level of src/theory/levels.cpp, by the same name.
struct Oracle {
  std::string_view level;
  // Up to causal. Whether the order obeys the level's axiom, read literally.
  bool (*axiom)(const Facts& facts, const Ranks& ranks) = nullptr;
  // Adds every edge t2 -> t1 of the axiom; so_wr and its closure hb are given.
  void (*infer)(const Facts& facts, const Matrix& so_wr, const Matrix& hb,
                Matrix& co) = nullptr;
  bool repeatable_reads = true;  // the axiom implies them
  bool needs_acyclic_hb = true;  // no cycles of it beside causality cycles
  std::optional<Kind> cycle;     // what a commit-order cycle is called
  // Above causal.
  Reads reads = Reads::by_axiom;
  bool real_time = false;

  bool strong() const { return reads != Reads::by_axiom; }
  bool has_snapshots() const {
    return reads == Reads::prefix || reads == Reads::snapshot;
  }
};

std::span<const Oracle> oracles();
const Oracle* find_oracle(std::string_view level);

// REQUIRES for the rest: !facts.malformed.

// Whether `order` lists exactly the live transactions, respects so u wr and
// obeys the axiom, and Read Consistency holds.
bool satisfies(const Facts& facts, const Oracle& oracle,
               const std::vector<std::uint32_t>& order);

// Above causal, the axiom as far as it is about what t3 reads: everything that
// comes before t3 has its rank, what comes later has a greater one.
bool fits(const Facts& facts, const Oracle& oracle, const Ranks& ranks,
          std::uint32_t t3);

// Whether the order satisfies the level with these snapshots, by replaying it:
// [i] -> the first so many transactions are what the i-th one sees. REQUIRES:
// oracle.has_snapshots().
bool replays(const Facts& facts, const Oracle& oracle,
             const std::vector<std::uint32_t>& order,
             const std::vector<std::uint32_t>& snapshots);
// The smallest snapshots that contain what they must.
std::vector<std::uint32_t> smallest_snapshots(
    const Facts& facts, const Oracle& oracle,
    const std::vector<std::uint32_t>& order);

// REQUIRES: few live transactions; seven have up to 5040 orders.
bool brute_force(const Facts& facts, const Oracle& oracle);

// REQUIRES: oracle.strong(), at most 31 live transactions, few writers per key.
bool by_versions(const Facts& facts, const Oracle& oracle);

// Everything the level finds; empty iff it holds. REQUIRES: !oracle.strong().
Findings saturate(const Facts& facts, const Oracle& oracle);

// A cycle is called after the weakest level that has it, and which cycle of a
// component is told may depend on names: each counts as the level's own, as
// saturate() has it.
Kind as_own(const Level& level, Kind kind);
Findings as_own(const Level& level, const Findings& findings);

// "thin-air-read x2, causality-cycle"
std::string to_string(const Findings& findings);

}  // namespace awdit::oracle
