// An unknown transaction counts once somebody who counts read from it.
//
// Who read from whom goes through *clues*: a clue is a value of a key that no
// committed transaction wrote but some unknown one did. A transaction that
// counts and read that value (without having written it itself) proves that its
// unknown writers took effect. Whoever read a list read all its elements.
// Spreading from the committed transactions over clues reaches the fixed point;
// each clue fires once, so the cost is linear after sorting, however many
// writers and readers share a value.
#include "witness/promotion.h"

#include <algorithm>
#include <span>
#include <vector>

#include "witness/value_runs.h"

namespace awdit {
namespace {

class Clues {
 public:
  Clues(const History& history, const Attribution& layout)
      : history_(history), layout_(layout) {
    ValueRuns runs(history);
    for (std::uint32_t key = 0; key < history.num_keys(); ++key) {
      const std::span<const std::uint32_t> ops = layout.ops_on(KeyId(key));
      runs.sort(ops);
      for (ValueRuns::Run run; runs.next(run);) collect(ops, runs, run);
    }
    first_writer_.push_back(static_cast<std::uint32_t>(writers_.size()));
    std::sort(readings_.begin(), readings_.end());
  }

  void spread(Array<std::uint8_t>& counts) {
    std::vector<std::uint32_t> todo;
    for (std::uint32_t txn = 0; txn < history_.num_txns(); ++txn) {
      if (counts[txn] != 0) todo.push_back(txn);
    }
    std::vector<bool> fired(first_writer_.size() - 1, false);
    while (!todo.empty()) {
      const std::uint32_t reader = todo.back();
      todo.pop_back();
      auto reading = std::lower_bound(readings_.begin(), readings_.end(),
                                      Reading{reader, 0});
      for (; reading != readings_.end() && reading->reader == reader;
           ++reading) {
        if (fired[reading->clue]) continue;
        fired[reading->clue] = true;
        for (std::uint32_t i = first_writer_[reading->clue];
             i < first_writer_[reading->clue + 1]; ++i) {
          if (counts[writers_[i]] != 0) continue;
          counts[writers_[i]] = 1;
          todo.push_back(writers_[i]);
        }
      }
    }
  }

 private:
  struct Reading {
    std::uint32_t reader;
    std::uint32_t clue;
    friend auto operator<=>(const Reading&, const Reading&) = default;
  };

  TxnId txn(std::uint32_t op) const { return TxnId(layout_.op_txn[op]); }

  void collect(std::span<const std::uint32_t> ops, const ValueRuns& runs,
               const ValueRuns::Run& run) {
    const auto start = writers_.size();
    for (const std::uint32_t i : run.writes) {
      const Status status = history_.status(txn(ops[i]));
      if (status == Status::committed) {
        writers_.resize(start);
        return;
      }
      if (status == Status::unknown) writers_.push_back(txn(ops[i]).v);
    }
    if (writers_.size() == start) return;
    const auto clue = static_cast<std::uint32_t>(first_writer_.size());
    first_writer_.push_back(static_cast<std::uint32_t>(start));
    runs.for_each_read(run, [&](std::uint32_t i) {
      const std::uint32_t reader = txn(ops[i]).v;
      // A key's operations, and so the writers, come by transaction.
      if (!std::binary_search(writers_.begin() + start, writers_.end(),
                              reader)) {
        readings_.push_back({reader, clue});
      }
    });
  }

  const History& history_;
  const Attribution& layout_;
  std::vector<std::uint32_t> first_writer_;  // [clue] -> entry of writers_
  std::vector<std::uint32_t> writers_;       // unknown transactions
  std::vector<Reading> readings_;
};

}  // namespace

Array<std::uint8_t> transactions_that_count(const History& history,
                                            const Attribution& layout) {
  Array<std::uint8_t> counts(history.num_txns());
  for (const TxnId txn : history.txns()) {
    counts[txn.v] = history.status(txn) == Status::committed ? 1 : 0;
  }
  if (history.has_unknown()) Clues(history, layout).spread(counts);
  return counts;
}

}  // namespace awdit
