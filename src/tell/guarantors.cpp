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

// A value of a key that transactions of unknown outcome wrote.
struct Clue {
  struct Write {
    std::uint32_t txn;
    OpId op;
  };
  KeyId key;
  Atom value;
  std::vector<Write> writes = {};  // by transaction
  // There is nothing (more) to conclude from a read, because a committed
  // transaction wrote it as well, or because all its writers count.
  bool settled = false;
};

class Clues {
 public:
  explicit Clues(const History& history) : key_has_(history.num_keys(), false) {
    for (const TxnId txn : history.txns()) {
      if (history.status(txn) != Status::unknown) continue;
      for (const OpId op : history.ops(txn)) {
        if (!history.is_write(op)) continue;
        const KeyId key = history.key(op);
        const Atom value = history.value(op);
        const auto fresh = static_cast<std::uint32_t>(clues_.size());
        const std::uint32_t at = index_.find_or_insert(
            hash_of(key, value), fresh,
            [&](auto clue) { return is_of(clue, key, value); });
        if (at == fresh) clues_.push_back({key, value});
        clues_[at].writes.push_back({txn.v, op});
        key_has_[key.v] = true;
      }
    }
  }

  // The number of the clue that the value is, or kNoId.
  std::uint32_t find(KeyId key, Atom value) const {
    if (!key_has_[key.v]) return kNoId;
    return index_.find(hash_of(key, value),
                       [&](auto clue) { return is_of(clue, key, value); });
  }
  Clue& operator[](std::uint32_t clue) { return clues_[clue]; }

 private:
  bool is_of(std::uint32_t clue, KeyId key, Atom value) const {
    return clues_[clue].key == key && clues_[clue].value == value;
  }

  std::vector<bool> key_has_;  // [key]
  std::vector<Clue> clues_;
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
    if (clue == kNoId || std::ranges::binary_search(clues[clue].writes, txn, {},
                                                    &Clue::Write::txn)) {
      return;
    }
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
        if (clue != kNoId) clues[clue].settled = true;
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
      Clue& clue = clues[reading->clue];
      if (std::exchange(clue.settled, true)) continue;
      for (const Clue::Write& write : clue.writes) {
        if (std::exchange(counts_[write.txn], std::uint8_t{1}) != 0) continue;
        queue.push_back(write.txn);
        proofs_.push_back({write.txn, queue[i], reading->read, write.op});
      }
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
