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
#include <utility>

#include "check/index.h"

namespace awdit {

void Index::leave_out(std::span<const OpId> reads) {
  if (std::ranges::equal(reads, left_out_)) return;
  exchange_left_out();
  left_out_.assign(reads.begin(), reads.end());
  left_out_source_.assign(left_out_.size(), kSetAside);
  exchange_left_out();
  settled_ = false;
}

void Index::exchange_left_out() {
  for (std::size_t i = 0; i < left_out_.size(); ++i) {
    std::swap(sources_.of[left_out_[i].v], left_out_source_[i]);
  }
}

void Index::settle() {
  if (settled_) return;
  has_events_ = false;
  looks_.reset();
  roughly_mended_ = false;
  known_ = {};
  find_versions();
  // What is mended for more reads is so for fewer.
  if (whole_is_cyclic_ || !leaves_out_reads()) mended_ = false;
  if (whole_is_cyclic_) {
    put_sources_first(false);
    if (!acyclic_) find_stale();
  } else if (stale_is_whole_ && stale_.found.count <= StaleReads::kFew) {
    // The order is that of the whole history, and so are the stale reads, but
    // for those left out.
    stale_.mark_again(*history_, sources());
  } else {
    find_stale();
    stale_is_whole_ = !leaves_out_reads();
  }
  find_cycles();
  settled_ = true;
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
  for (const std::uint32_t txn : order().subspan(1)) {
    for (const OpId op : history_->ops(TxnId(txn))) {
      const std::uint32_t source = sources_.of[op.v];
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
