// The events of keys, in the guessed order.
//
// Idea: mostly a few keys are asked for, those with stale reads or those that a
// window writes; their operations are picked out in one pass and sorted by key.
// If they are many, operations are regrouped by key in parallel
// (check/by_key.h). Cost: O(n) for the pass, and O(m log m) for m operations
// that are picked.
#include <algorithm>
#include <atomic>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "check/by_key.h"
#include "check/index.h"

namespace awdit {
namespace {

// Writes down the events of one key.
// Invariant: `latest_` is the last transaction that wrote the key before the
// current one, or the current one, and then `before_` is the one before; a read
// is stale iff its source is another. An external read follows an own write of
// the key only if it is a list; then its event is put before that of the write.
class EventWriter {
 public:
  // `out` has room for all operations of the key.
  EventWriter(Event* out, std::uint32_t init)
      : begin_(out), out_(out), latest_(init) {}

  void write(std::uint32_t txn) {
    enter(txn);
    if (latest_ == txn) return;
    before_ = latest_;
    latest_ = txn;
    *out_++ = {txn, Event::kWrite};
  }
  void read(std::uint32_t txn, std::uint32_t source) {
    enter(txn);
    if (has_read_) return;
    has_read_ = true;
    const bool own = latest_ == txn;
    const bool stale = source != (own ? before_ : latest_);
    *out_++ = {txn, source | (stale ? Event::kStale : 0u)};
    if (own) std::swap(out_[-1], out_[-2]);
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
  std::uint32_t before_ = kNoId;
  std::uint32_t txn_ = kNoId;  // current transaction
  bool has_read_ = false;      // the current transaction, from another
};

}  // namespace

struct Index::EventTuple {
  std::uint32_t word;
  std::uint32_t txn;
  std::uint32_t source;
};

// Returns how many there are.
std::uint32_t Index::write_events(std::span<const EventTuple> tuples,
                                  Event* out) const {
  EventWriter writer(out, history_->init_txn().v);
  for (const EventTuple& tuple : tuples) {
    if (tuple.source == kIsWrite) {
      writer.write(tuple.txn);
    } else if (is_external(tuple.source)) {
      writer.read(tuple.txn, tuple.source);
    }
  }
  return writer.count();
}

// Where few operations are on wanted keys, they are picked out and sorted.
// Returns false where they are many.
bool Index::make_few_events(std::span<const std::uint8_t> keys) {
  if (keys.empty()) return false;
  const std::size_t most = history_->num_ops() / 64 + grain_ / 16;
  const auto words = history_->op_words();
  const auto txn_ops = history_->txn_ops();
  const std::size_t blocks =
      std::min<std::size_t>(std::size_t{threads_} * 8, order_.size() / 64 + 1);
  std::vector<std::vector<EventTuple>> picked(blocks);
  std::atomic<std::size_t> total = 0;
  parallel_for(blocks, threads_, [&](std::size_t block, unsigned) {
    std::vector<EventTuple>& mine = picked[block];
    const std::size_t txns = order_.size() - 1;  // without init
    const std::size_t last = 1 + txns * (block + 1) / blocks;
    for (std::size_t rank = 1 + txns * block / blocks; rank < last; ++rank) {
      const std::uint32_t txn = order_[rank];
      for (std::uint32_t op = txn_ops[txn].begin; op < txn_ops[txn].end; ++op) {
        if (keys[words[op] >> 1] == 0) continue;
        mine.push_back({words[op], txn, source_[op]});
      }
      if (mine.size() > most || total.load() > most) return;
    }
    total += mine.size();
  });
  std::vector<EventTuple> tuples;
  for (std::vector<EventTuple>& mine : picked) {
    if (tuples.size() + mine.size() > most) return false;
    tuples.insert(tuples.end(), mine.begin(), mine.end());
  }
  std::stable_sort(tuples.begin(), tuples.end(),
                   [](const EventTuple& a, const EventTuple& b) {
                     return a.word >> 1 < b.word >> 1;
                   });
  events_ = Array<Event>(tuples.size());
  for (std::size_t i = 0; i < tuples.size();) {
    std::size_t end = i;
    const std::uint32_t key = tuples[i].word >> 1;
    while (end < tuples.size() && tuples[end].word >> 1 == key) ++end;
    const std::uint32_t count =
        write_events(std::span(tuples).subspan(i, end - i), &events_[i]);
    if (count != 0) key_events_.push_back({key, count, i});
    i = end;
  }
  return true;
}

void Index::make_events(std::span<const std::uint8_t> keys) {
  if (has_events_ && std::ranges::equal(keys, events_of_)) return;
  has_events_ = true;
  events_of_.assign(keys.begin(), keys.end());
  key_events_.clear();
  if (make_few_events(keys)) return;
  const History& history = *history_;
  const KeyLayout layout = make_key_layout(history, keys, threads_);
  events_ = Array<Event>(layout.first[history.num_keys()]);
  Array<std::uint32_t> count(history.num_keys(), 0);
  for_each_key<EventTuple>(
      history, layout, {order_.data() + 1, order_.size() - 1}, threads_,
      [&](std::uint32_t txn, std::uint32_t op, std::uint32_t word,
          EventTuple& tuple) {
        tuple = {word, txn, source_[op]};
      },
      [&](unsigned, std::uint32_t key, std::span<EventTuple> tuples) {
        count[key] = write_events(tuples, events_.data() + layout.first[key]);
      });
  for (std::uint32_t key = 0; key < history.num_keys(); ++key) {
    if (count[key] != 0) {
      key_events_.push_back({key, count[key], layout.first[key]});
    }
  }
}

}  // namespace awdit
