// A history as the property tests handle it: small, mutable, easy to shrink.
// It becomes a History through the Builder, as if a format had read it, and a
// text in the notation of golden files, to be pasted into tests/golden.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "history/history.h"

namespace awdit::property {

using Random = std::mt19937_64;

struct ScriptOp {
  bool write = false;
  int key = 0;
  std::int64_t value = 0;
  std::vector<std::int64_t> list = {};  // instead, of a read of a list
};

struct ScriptTxn {
  int session = 0;
  Status status = Status::committed;
  std::vector<ScriptOp> ops;
  // Only where Script::timed; kNoTime: not known.
  History::Times times = {kNoTime, kNoTime};
  int clock = 0;  // whose times these are: a clock domain
};

// The clock of `to` shows `offset` more than that of `from`, give or take.
struct ScriptRelation {
  int from, to;
  std::int64_t offset, error;
};

// Transactions in input order; those of a session are in session order.
struct Script {
  std::vector<ScriptTxn> txns;
  // Whether 0 is an initial value (plume) or a value like any other.
  bool has_init = true;
  // Writes append, reads return lists, 0 stands for nil.
  bool lists = false;
  // Whether it has times.
  bool timed = false;
  // Whether the order of a session's transactions counts.
  bool session_order = true;
  // Times are of clocks 0 ... clocks - 1; 1: nobody names one.
  int clocks = 1;
  std::vector<ScriptRelation> relations = {};
};

History to_history(const Script& script, unsigned threads = 1);

// One transaction a line: keeps the input order, unlike to_text(History).
std::string to_notation(const Script& script);

// The same history in other words: other keys (also names instead of numbers),
// other values except 0, other session names, sessions interleaved anew (unless
// of lists: which of two contradicting ones is wrong may depend on the order).
History renamed(const Script& script, Random& random);

// The smallest script we can reach from `script` by leaving out transactions,
// then operations, then marks, times and elements of lists, such that `fails`
// still holds.
Script shrink(Script script, const std::function<bool(const Script&)>& fails);

}  // namespace awdit::property
