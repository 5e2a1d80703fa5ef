// An index with some reads left out.
//
// Idea: sources are all that a read is known by, so leaving it out is writing
// kSetAside there, and everything else follows from sources. The guessed order
// contains so, wr and the versions of lists of the whole history, if it can;
// then it contains those of any part (what shorter lists show follows from what
// the longest one does). Only where these have a cycle the order is made anew.
// Invariant: findings, outcomes, promotions and non_repeatable() stay those of
// the whole history.
// Cost: leave_out that of the reads; settle that of the stale reads if they are
// few, otherwise one pass over all operations; of lists two.
#include <algorithm>

#include "check/commit_graph.h"
#include "check/index.h"
#include "check/stale_reads.h"

namespace awdit {

void Index::leave_out(std::span<const OpId> reads) {
  if (std::ranges::equal(reads, left_out_)) return;
  for (std::size_t i = 0; i < left_out_.size(); ++i) {
    source_[left_out_[i].v] = left_out_source_[i];
  }
  left_out_.assign(reads.begin(), reads.end());
  left_out_source_.clear();
  for (const OpId op : left_out_) {
    left_out_source_.push_back(source_[op.v]);
    source_[op.v] = kSetAside;
  }
  settled_ = false;
}

void Index::settle() {
  if (settled_) return;
  has_events_ = false;
  known_ = {};
  if (history_->has_lists()) versions_ = find_list_versions(*this);
  if (whole_is_cyclic_) {
    put_sources_first();
    if (!acyclic_) find_stale_reads(*this);
  } else {
    mark_stale_again();
  }
  find_cycles();
  settled_ = true;
}

// The order is that of the whole history, and so are the stale reads, but for
// those left out.
void Index::mark_stale_again() {
  if (!few_are_stale_) {
    find_stale_reads(*this);
    return;
  }
  const auto key = [&](const StaleRead& read) {
    return history_->key(OpId(read.op)).v;
  };
  for (const StaleRead& read : few_stale_) {
    txn_stale_[read.txn] = 0;
    key_stale_[key(read)] = 0;
  }
  any_stale_ = false;
  for (const StaleRead& read : few_stale_) {
    if (!is_external(source_[read.op])) continue;
    mark_stale(read.txn, key(read));
    any_stale_ = true;
  }
}

std::vector<OpId> Index::reads_around(
    std::span<const std::uint32_t> txns) const {
  const std::uint32_t init = history_->init_txn().v;
  std::vector<std::uint8_t> among(std::size_t{init} + 1, 0);
  std::vector<std::uint8_t> written(history_->num_keys(), 0);
  for (const std::uint32_t txn : txns) {
    among[txn] = 1;
    if (txn == init) continue;
    for (const OpId op : history_->ops(TxnId(txn))) {
      if (history_->is_write(op)) written[history_->key(op).v] = 1;
    }
  }
  std::vector<OpId> reads;
  for (const std::uint32_t txn : order_.span().subspan(1)) {
    for (const OpId op : history_->ops(TxnId(txn))) {
      const std::uint32_t source = source_[op.v];
      if (!is_external(source)) continue;
      if (among[txn] != 0 ||
          (among[source] != 0 &&
           (source != init || written[history_->key(op).v] != 0))) {
        reads.push_back(op);
      }
    }
  }
  return reads;
}

}  // namespace awdit
