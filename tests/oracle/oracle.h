// The slow twins of src/check: every level straight from its definition, with
// maps, sets and matrices, and nothing shared with the checker but the names
// of levels and kinds. Linked by tests only.
//
//   resolve       who counts as committed, who wrote what a read returned, and
//                 the findings of Read Consistency
//   satisfies     whether one given commit order obeys a level's axiom
//   brute_force   whether some commit order does: tries all of them
//   saturate      the kinds and counts of findings, by inferring every edge
//                 that the axiom allows and closing the relation (Warshall)
//
// brute_force and saturate read the axioms in two different ways on purpose:
// the first evaluates them against an order, the second turns them into edges.
// Cost: brute_force O(txns!), saturate O(txns^3).
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

// An external read without a finding: t_writer wr_key t_reader.
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

  bool writes(std::uint32_t txn, std::uint32_t key) const;
  // Session order: also init before everybody.
  bool so(std::uint32_t before, std::uint32_t after) const;
};

Facts resolve(const History& history);

// A total order of the live transactions: [txn] -> rank, init has rank 0.
using Ranks = std::vector<std::size_t>;
using Matrix = std::vector<std::vector<bool>>;

// One row per level of src/check/levels.cpp, by the same name.
struct Oracle {
  std::string_view level;
  // Whether the order obeys the level's axiom, read literally.
  bool (*axiom)(const Facts& facts, const Ranks& ranks);
  // Adds every edge t2 -> t1 of the axiom; so_wr and its closure hb are given.
  void (*infer)(const Facts& facts, const Matrix& so_wr, const Matrix& hb,
                Matrix& co);
  bool repeatable_reads;      // the axiom implies them
  bool needs_acyclic_hb;      // no commit-order cycles beside causality cycles
  std::optional<Kind> cycle;  // what a commit-order cycle is called
};

std::span<const Oracle> oracles();
const Oracle* find_oracle(std::string_view level);

// REQUIRES for the rest: !facts.malformed.

// Whether `order` lists exactly the live transactions, respects so u wr and
// obeys the axiom, and Read Consistency holds.
bool satisfies(const Facts& facts, const Oracle& oracle,
               const std::vector<std::uint32_t>& order);

// REQUIRES: few live transactions; seven have up to 5040 orders.
bool brute_force(const Facts& facts, const Oracle& oracle);

// Everything the level finds; empty iff it holds.
Findings saturate(const Facts& facts, const Oracle& oracle);

// "thin-air-read x2, causality-cycle"
std::string to_string(const Findings& findings);

}  // namespace awdit::oracle
