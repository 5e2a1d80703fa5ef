// Sweeps the events of one key, fed in the guessed order: finds stale reads and
// non-repeatable ones, and stores the events if asked to. Private to check/.
//
// Invariant: `latest_` is the last transaction that wrote the key before the
// current one; a read is stale iff its source is another. A valid external read
// never follows an own write of the key, so the current transaction's write
// cannot be in the way.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "check/index.h"

namespace awdit {

class EventWriter {
 public:
  EventWriter(Index& index, bool store) : index_(&index), store_(store) {}

  void begin(std::uint32_t key) {
    key_ = key;
    if (store_) out_ = index_->events_.data() + index_->layout_.first[key];
    begin_ = out_;
    latest_ = index_->history_->init_txn().v;
    txn_ = kNoId;
    stale_ = false;
    if (!writes_.empty()) writes_.clear();
  }
  void write(std::uint32_t txn) {
    enter(txn);
    if (latest_ == txn) return;
    latest_ = txn;
    if (store_) *out_++ = {txn, Event::kWrite};
  }
  void read(std::uint32_t txn, std::uint32_t source, std::uint32_t op);
  void end() {
    if (store_) {
      index_->event_count_[key_] = static_cast<std::uint32_t>(out_ - begin_);
      index_->key_stale_[key_] = stale_ ? 1 : 0;
    }
    any_stale |= stale_;
  }

  // Results over all keys this writer was given.
  std::vector<Violation> non_repeatable;
  bool any_stale = false;
  // Some read comes before its source: the order is not topological.
  bool disordered = false;

 private:
  void enter(std::uint32_t txn) {
    if (txn == txn_) return;
    txn_ = txn;
    first_source_ = kNoId;
  }

  // The last write of the key in `source`; looked for once per source.
  OpId write_of(std::uint32_t source);

  Index* index_;
  bool store_;
  Event* begin_ = nullptr;
  Event* out_ = nullptr;
  std::uint32_t key_ = 0;
  std::uint32_t latest_ = 0;
  std::uint32_t txn_ = kNoId;           // current transaction
  std::uint32_t first_source_ = kNoId;  // of its first external read
  std::uint32_t first_read_ = kNoId;    // that read
  bool stale_ = false;
  std::unordered_map<std::uint32_t, OpId> writes_;
};

}  // namespace awdit
