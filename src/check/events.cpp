// The events of keys, in the guessed order.
//
// Idea: mostly a few keys are asked for, those with stale reads or those that a
// window writes; their operations are picked out in one pass and sorted by key.
// If they are many, operations are regrouped by key in parallel
// (check/by_key.h). Cost: O(n) for the pass, and O(m log m) for m operations
// that are picked.
#include "check/events.h"

#include <atomic>
#include <utility>

#include "check/by_key.h"
#include "check/sources.h"

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

struct Tuple {
  std::uint32_t word;
  std::uint32_t txn;
  std::uint32_t source;
};

// Returns how many there are.
std::uint32_t write_events(std::span<const Tuple> tuples, std::uint32_t init,
                           Event* out) {
  EventWriter writer(out, init);
  for (const Tuple& tuple : tuples) {
    if (tuple.source == kIsWrite) {
      writer.write(tuple.txn);
    } else if (is_external(tuple.source)) {
      writer.read(tuple.txn, tuple.source);
    }
  }
  return writer.count();
}

// The operations on wanted keys where they are few, in the guessed order.
// Returns false where they are many.
bool pick_few(const History& history, const Split& split,
              std::span<const std::uint32_t> sources,
              std::span<const std::uint32_t> order,
              std::span<const std::uint8_t> keys, std::vector<Tuple>& tuples) {
  if (keys.empty()) return false;
  const std::size_t most = history.num_ops() / 64 + split.grain / 16;
  const auto words = history.op_words();
  const auto txn_ops = history.txn_ops();
  const std::size_t blocks = std::min<std::size_t>(
      std::size_t{split.threads} * 8, order.size() / 64 + 1);
  std::vector<std::vector<Tuple>> picked(blocks);
  std::atomic<std::size_t> total = 0;
  parallel_for(blocks, split.threads, [&](std::size_t block, unsigned) {
    std::vector<Tuple>& mine = picked[block];
    const std::size_t txns = order.size() - 1;  // without init
    const std::size_t last = 1 + txns * (block + 1) / blocks;
    for (std::size_t rank = 1 + txns * block / blocks; rank < last; ++rank) {
      const std::uint32_t txn = order[rank];
      for (std::uint32_t op = txn_ops[txn].begin; op < txn_ops[txn].end; ++op) {
        if (keys[words[op] >> 1] == 0) continue;
        mine.push_back({words[op], txn, sources[op]});
      }
      if (mine.size() > most || total.load() > most) return;
    }
    total += mine.size();
  });
  for (const std::vector<Tuple>& mine : picked) {
    if (tuples.size() + mine.size() > most) return false;
    tuples.insert(tuples.end(), mine.begin(), mine.end());
  }
  return true;
}

// Of operations that were picked.
Events sort_events(std::vector<Tuple> tuples, std::uint32_t init) {
  std::stable_sort(
      tuples.begin(), tuples.end(),
      [](const Tuple& a, const Tuple& b) { return a.word >> 1 < b.word >> 1; });
  Events events;
  events.all = Array<Event>(tuples.size());
  for (std::size_t i = 0; i < tuples.size();) {
    std::size_t end = i;
    const std::uint32_t key = tuples[i].word >> 1;
    while (end < tuples.size() && tuples[end].word >> 1 == key) ++end;
    const std::uint32_t count = write_events(
        std::span(tuples).subspan(i, end - i), init, &events.all[i]);
    if (count != 0) events.keys.push_back({key, count, i});
    i = end;
  }
  return events;
}

}  // namespace

Events find_events(const History& history, const Split& split,
                   std::span<const std::uint32_t> sources,
                   std::span<const std::uint32_t> order,
                   std::span<const std::uint8_t> keys) {
  const std::uint32_t init = history.init_txn().v;
  std::vector<Tuple> few;
  if (pick_few(history, split, sources, order, keys, few)) {
    return sort_events(std::move(few), init);
  }
  few = {};
  const KeyLayout layout = make_key_layout(history, keys, split.threads);
  Events events;
  events.all = Array<Event>(layout.first[history.num_keys()]);
  Array<std::uint32_t> count(history.num_keys(), 0);
  for_each_key<Tuple>(
      history, layout, order.subspan(1), split.threads,
      [&](std::uint32_t txn, std::uint32_t op, std::uint32_t word,
          Tuple& tuple) {
        tuple = {word, txn, sources[op]};
      },
      [&](unsigned, std::uint32_t key, std::span<Tuple> tuples) {
        count[key] =
            write_events(tuples, init, events.all.data() + layout.first[key]);
      });
  for (std::uint32_t key = 0; key < history.num_keys(); ++key) {
    if (count[key] != 0) {
      events.keys.push_back({key, count[key], layout.first[key]});
    }
  }
  return events;
}

}  // namespace awdit
