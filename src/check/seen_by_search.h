// For a read of a key: the transactions that write the key and happen before
// the reader, by looking for them. Private to check/.
//
// Idea: without session order every transaction is a session of its own, and
// clocks over sessions (check/latest_seen.h) would be as wide as the history is
// long. But happens-before ascends in rank, and only writers between the source
// of a read and its reader matter: in a good guess at the commit order they are
// near. So walk back from the reader, no further than the first of them.
// Cost: O(operations between source and reader) for each wanted read, at worst
// the square of the history, within the budget of the index.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "check/index.h"

namespace awdit {

// Marks who happens before a transaction.
class Ancestors {
 public:
  explicit Ancestors(const Index& index)
      : index_(index), marks_(index.history().num_txns(), 0) {}

  // Of those at `low` or a higher rank.
  void find(std::uint32_t txn, std::uint32_t low, Pace& pace) {
    if (txn == of_ && low >= low_) return;
    if (++mark_ == 0) {  // every mark was used
      marks_.assign(marks_.size(), 0);
      mark_ = 1;
    }
    of_ = txn;
    low_ = low;
    const History& history = index_.history();
    const auto ranks = index_.ranks();
    const auto sources = index_.sources();
    const auto txn_ops = history.txn_ops();
    const std::uint32_t init = history.init_txn().v;
    const auto take = [&](std::uint32_t other) {
      if (other >= init || ranks[other] < low || marks_[other] == mark_) return;
      marks_[other] = mark_;
      stack_.push_back(other);
    };
    stack_.assign(1, txn);
    while (!stack_.empty()) {
      const std::uint32_t at = stack_.back();
      stack_.pop_back();
      pace.step(1 + txn_ops[at].size());
      take(index_.previous(at));
      for (std::uint32_t op = txn_ops[at].begin; op < txn_ops[at].end; ++op) {
        take(sources[op]);
      }
    }
  }
  // REQUIRES: `txn` is not below the rank that was asked for.
  bool contain(std::uint32_t txn) const { return marks_[txn] == mark_; }

 private:
  const Index& index_;
  std::vector<std::uint32_t> marks_;  // [txn]
  std::vector<std::uint32_t> stack_;
  std::uint32_t mark_ = 0;
  std::uint32_t of_ = kNoId, low_ = 0;  // what was asked last
};

// Calls visit(worker, key, read, writer, is_before) for each key with events,
// wanted read of it (an Event) and writer that happens before its reader and
// whose rank is at least least(read), but for its source, from several threads.
// is_before(a, b): whether `a`, which writes the key, happens before `b`.
// REQUIRES: so u wr is acyclic.
template <typename WantsRead, typename Least, typename Visit>
void for_each_seen(const Index& index, WantsRead&& wants_read, Least&& least,
                   Visit&& visit) {
  struct Scratch {
    explicit Scratch(const Index& index)
        : of_reader(index), of_source(index), pace(index.budget()) {}
    std::vector<std::uint32_t> writers;  // of the key, by rank
    Ancestors of_reader, of_source;
    Pace pace;
  };
  const auto ranks = index.ranks();
  std::vector<Scratch> scratch(index.threads(), Scratch(index));
  index.for_each_key_with_events([&](unsigned worker, std::uint32_t key,
                                     std::span<const Event> events) {
    Scratch& mine = scratch[worker];
    mine.writers.clear();
    mine.pace.step(1 + events.size());
    const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
      if (ranks[a] >= ranks[b]) return false;
      mine.of_source.find(b, ranks[a], mine.pace);
      return mine.of_source.contain(a);
    };
    for (const Event& event : events) {
      if (event.is_write()) {
        mine.writers.push_back(event.txn);
        continue;
      }
      if (!wants_read(event)) continue;
      const std::uint32_t low = least(event);
      std::size_t first = mine.writers.size();
      while (first != 0 && ranks[mine.writers[first - 1]] >= low) --first;
      std::size_t nearest = first;  // that is not the source
      while (nearest < mine.writers.size() &&
             mine.writers[nearest] == event.read_from()) {
        ++nearest;
      }
      if (nearest == mine.writers.size()) continue;
      mine.of_reader.find(event.txn, ranks[mine.writers[nearest]], mine.pace);
      for (std::size_t i = nearest; i < mine.writers.size(); ++i) {
        const std::uint32_t writer = mine.writers[i];
        if (writer == event.read_from() || writer == event.txn ||
            !mine.of_reader.contain(writer)) {
          continue;
        }
        visit(worker, key, event, writer, is_before);
      }
    }
  });
}

}  // namespace awdit
