#include "check/event_writer.h"

#include <atomic>

namespace awdit {

OpId EventWriter::write_of(std::uint32_t source) {
  const History& history = *index_->history_;
  if (history.is_init(TxnId(source))) return OpId();
  const auto [place, is_new] = writes_.try_emplace(source);
  if (is_new) {
    for (const OpId op : history.ops(TxnId(source))) {
      if (history.is_write(op) && history.key(op).v == key_) place->second = op;
    }
  }
  return place->second;
}

void EventWriter::read(std::uint32_t txn, std::uint32_t source,
                       std::uint32_t op) {
  enter(txn);
  if (source == first_source_) return;
  const bool repeated = first_source_ != kNoId;
  bool stale = false;
  if (source != latest_) {
    stale = true;
    stale_ = true;
    // Threads that sweep other keys may mark the same transaction.
    std::atomic_ref<std::uint8_t>(index_->txn_stale_[txn])
        .store(1, std::memory_order_relaxed);
    if (index_->rank_[source] > index_->rank_[txn]) disordered = true;
  }
  if (repeated) {
    non_repeatable.push_back({.kind = Kind::non_repeatable_read,
                              .read = OpId(op),
                              .write = write_of(source),
                              .other = OpId(first_read_),
                              .edges = {}});
    return;
  }
  first_source_ = source;
  first_read_ = op;
  if (store_) *out_++ = {txn, source | (stale ? Event::kStale : 0u)};
}

}  // namespace awdit
