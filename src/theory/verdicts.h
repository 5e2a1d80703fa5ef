// What is said about a history: for each level a verdict with its evidence.
// Private to theory/; others include theory/theory.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "theory/levels.h"
#include "theory/violations.h"

namespace awdit {

enum class Verdict : std::uint8_t { holds, violated, undecided };
std::string_view name(Verdict verdict);

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
  // Empty unless it is violated. First those of weaker levels, which are shared
  // with these, then its own, which none of them implies: check/ladder.h.
  Violations violations;
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
  // decided by itself, or holds as one that was decided before its turn.
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

// What a verifier says about the verdict on a level.
struct LevelCheck {
  const Level* level = nullptr;
  Verdict verdict = Verdict::undecided;
  bool accepted = false;
  // If rejected: one sentence, what is wrong with the evidence.
  std::string objection;
};

}  // namespace awdit
