// The writes of unknown outcome are put into a hash table by key and value; one
// pass over the history then tells which of them a committed transaction wrote
// as well (they vouch for nothing) and who read the others. A search along
// these reads, breadth first from the committed transactions, gives every
// transaction the shortest chain of guarantors. The verifier comes to the same
// by sorting (promotion.cpp), which costs more and forgets who it was.
#include "tell/guarantors.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/flat_index.h"

namespace awdit {
namespace {

std::uint64_t hash_of(KeyId key, Atom value) {
  return mix64(value.bits +
               0x9e3779b97f4a7c15u * (key.v * std::uint64_t{4} +
                                      static_cast<std::uint64_t>(value.kind)));
}

// Values of keys that transactions of unknown outcome wrote.
class Clues {
 public:
  struct Write {
    std::uint32_t txn;
    OpId op;
    std::uint32_t next;  // write of the same value, or kNoId
    // Of the first: there is nothing (more) to conclude from a read, because a
    // committed transaction wrote it as well, or because all its writers count.
    bool settled;
  };

  explicit Clues(const History& history)
      : history_(history), key_has_(history.num_keys(), false) {
    for (const TxnId txn : history.txns()) {
      if (history.status(txn) != Status::unknown) continue;
      for (const OpId op : history.ops(txn)) {
        if (history.is_write(op)) add(txn, op);
      }
    }
    std::ranges::sort(writers_);
  }

  // The number of the first write of the value, or kNoId.
  std::uint32_t find(KeyId key, Atom value) const {
    if (!key_has_[key.v]) return kNoId;
    return index_.find(hash_of(key, value), [&](std::uint32_t item) {
      return is_of(item, key, value);
    });
  }
  void settle(std::uint32_t clue) { writes_[clue].settled = true; }
  const Write& operator[](std::uint32_t i) const { return writes_[i]; }

  bool is_written_by(std::uint32_t clue, std::uint32_t txn) const {
    return std::ranges::binary_search(writers_, std::pair(clue, txn));
  }

 private:
  bool is_of(std::uint32_t item, KeyId key, Atom value) const {
    return history_.key(writes_[item].op) == key &&
           history_.value(writes_[item].op) == value;
  }
  void add(TxnId txn, OpId op) {
    const KeyId key = history_.key(op);
    const Atom value = history_.value(op);
    const auto fresh = static_cast<std::uint32_t>(writes_.size());
    const std::uint32_t first = index_.find_or_insert(
        hash_of(key, value), fresh,
        [&](std::uint32_t item) { return is_of(item, key, value); });
    writes_.push_back({txn.v, op, kNoId, false});
    writers_.emplace_back(first, txn.v);
    key_has_[key.v] = true;
    if (first == fresh) return;
    writes_[fresh].next = writes_[first].next;
    writes_[first].next = fresh;
  }

  const History& history_;
  std::vector<bool> key_has_;  // [key]
  std::vector<Write> writes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> writers_;  // clue, txn
  FlatIndex index_;
};

struct Reading {
  std::uint32_t reader;
  std::uint32_t clue;
  OpId read;
};

std::vector<Reading> find_readings(const History& history, Clues& clues) {
  std::vector<Reading> readings;
  const auto read = [&](std::uint32_t txn, OpId op, Atom value) {
    const std::uint32_t clue = clues.find(history.key(op), value);
    // Whoever wrote it as well has it from there.
    if (clue == kNoId || clues.is_written_by(clue, txn)) return;
    readings.push_back({txn, clue, op});
  };
  for (const std::uint32_t txn : history.input_order()) {
    const Status status = history.status(TxnId(txn));
    if (status == Status::aborted) continue;
    for (const OpId op : history.ops(TxnId(txn))) {
      if (history.is_write(op)) {
        if (status != Status::committed) continue;
        const std::uint32_t clue =
            clues.find(history.key(op), history.value(op));
        if (clue != kNoId) clues.settle(clue);
      } else if (!history.has_lists()) {
        read(txn, op, history.value(op));
      } else {
        for (std::size_t i = 0; i < history.list_size(op); ++i) {
          read(txn, op, history.element(op, i));
        }
      }
    }
  }
  std::ranges::stable_sort(readings, {}, &Reading::reader);
  return readings;
}

}  // namespace

Guarantors::Guarantors(const History& history)
    : history_(history), counts_(history.num_txns()) {
  for (const TxnId txn : history.txns()) {
    counts_[txn.v] = history.status(txn) == Status::committed ? 1 : 0;
  }
  if (history.has_unknown()) find_proofs();
}

void Guarantors::find_proofs() {
  Clues clues(history_);
  const std::vector<Reading> readings = find_readings(history_, clues);
  std::vector<std::uint32_t> queue;
  for (const Reading& reading : readings) {
    if (counts_[reading.reader] == 0) continue;
    if (queue.empty() || queue.back() != reading.reader) {
      queue.push_back(reading.reader);
    }
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    auto reading =
        std::ranges::lower_bound(readings, queue[i], {}, &Reading::reader);
    for (; reading != readings.end() && reading->reader == queue[i];
         ++reading) {
      if (clues[reading->clue].settled) continue;
      for (std::uint32_t at = reading->clue; at != kNoId; at = clues[at].next) {
        std::uint8_t& counts = counts_[clues[at].txn];
        if (counts != 0) continue;
        counts = 1;
        queue.push_back(clues[at].txn);
        proofs_.push_back(
            {clues[at].txn, queue[i], reading->read, clues[at].op});
      }
      clues.settle(reading->clue);
    }
  }
  std::ranges::sort(proofs_, {}, &Proof::txn);
}

void Guarantors::add_proof(TxnId txn, std::vector<OpId>& ops) const {
  while (history_.status(txn) == Status::unknown) {
    const auto proof =
        std::ranges::lower_bound(proofs_, txn.v, {}, &Proof::txn);
    AWDIT_ASSERT(proof != proofs_.end() && proof->txn == txn.v);
    if (proof == proofs_.end() || proof->txn != txn.v) return;
    ops.push_back(proof->read);
    ops.push_back(proof->write);
    txn = TxnId(proof->reader);
  }
}

}  // namespace awdit
