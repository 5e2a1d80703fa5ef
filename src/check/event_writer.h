// Writes down the events of one key, fed in the guessed order. Private to
// check/.
//
// Invariant: `latest_` is the last transaction that wrote the key before the
// current one; a read is stale iff its source is another. A valid external read
// never follows an own write of the key, so the current transaction's write
// cannot be in the way.
#pragma once

#include <cstdint>

#include "check/index.h"

namespace awdit {

class EventWriter {
 public:
  // `out` has room for all operations of the key.
  EventWriter(Event* out, std::uint32_t init)
      : begin_(out), out_(out), latest_(init) {}

  void write(std::uint32_t txn) {
    enter(txn);
    if (latest_ == txn) return;
    latest_ = txn;
    *out_++ = {txn, Event::kWrite};
  }
  void read(std::uint32_t txn, std::uint32_t source) {
    enter(txn);
    if (has_read_) return;
    has_read_ = true;
    *out_++ = {txn, source | (source != latest_ ? Event::kStale : 0u)};
  }
  std::uint32_t count() const {
    return static_cast<std::uint32_t>(out_ - begin_);
  }

 private:
  void enter(std::uint32_t txn) {
    if (txn == txn_) return;
    txn_ = txn;
    has_read_ = false;
  }

  Event* begin_;
  Event* out_;
  std::uint32_t latest_;
  std::uint32_t txn_ = kNoId;  // current transaction
  bool has_read_ = false;      // the current transaction, from another
};

}  // namespace awdit
