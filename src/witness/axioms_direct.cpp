// Read Committed and Read Atomic against a commit order: t3 saw t2 directly, by
// a read or in its session.
//
// For a reader t3 with stale reads and each transaction t2 that it read from,
// the keys in question are those that t2 writes and t3 read stale: we walk the
// shorter of the two sorted lists and look up in the longer one. Summed over
// all pairs this is O(n^1.5 log n), and nothing at all for transactions without
// stale reads. What t3 saw in its session is left to axioms_guarantees.cpp.
//
// With program order (Read Committed) only the stale reads after the first read
// from t2 count: of each key's reads we keep, from each on, the one whose
// writer is the oldest.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "witness/axioms.h"
#include "witness/key_lists.h"
#include "witness/phrases.h"

namespace awdit {
namespace {

class DirectAxiom {
 public:
  DirectAxiom(const History& history, const Attribution& attribution,
              const Replay& replay, bool program_order)
      : history_(history),
        attribution_(attribution),
        replay_(replay),
        program_order_(program_order),
        lists_(history, attribution) {}

  std::string by_reads() {
    for (const StaleReader& reads : stale_by_reader(attribution_, replay_)) {
      gather_stale(
          {replay_.stale.data() + reads.first, reads.end - reads.first});
      gather_seen(reads.reader);
      for (const Seen& seen : seen_) {
        if (replay_.place[seen.txn] <= oldest_place_) continue;
        const OpId read = contradicting_read(seen);
        if (read.valid()) {
          return describe_breach(history_, attribution_, read, TxnId(seen.txn));
        }
      }
    }
    return "";
  }

 private:
  struct Seen {
    std::uint32_t txn;
    OpId first;  // the first read from it
  };
  // The stale reads of one key are reads_[first, end).
  struct StaleKey {
    std::uint32_t key;
    std::size_t first;
    std::size_t end;
  };

  std::uint32_t place_of_writer(OpId read) const {
    return replay_.place[attribution_.writer(history_, read.v).v];
  }

  void gather_stale(std::span<const OpId> stale) {
    reads_.assign(stale.begin(), stale.end());
    std::sort(reads_.begin(), reads_.end(), [&](OpId a, OpId b) {
      const KeyId ka = history_.key(a);
      const KeyId kb = history_.key(b);
      return ka != kb ? ka < kb : a < b;
    });
    oldest_.resize(reads_.size());
    oldest_place_ = kNoId;
    keys_.clear();
    for (std::size_t i = 0; i < reads_.size();) {
      const KeyId key = history_.key(reads_[i]);
      std::size_t end = i;
      while (end < reads_.size() && history_.key(reads_[end]) == key) ++end;
      keys_.push_back({key.v, i, end});
      for (std::size_t j = end; j-- > i;) {
        oldest_[j] = reads_[j];
        oldest_place_ = std::min(oldest_place_, place_of_writer(reads_[j]));
        if (j + 1 < end &&
            place_of_writer(oldest_[j + 1]) < place_of_writer(reads_[j])) {
          oldest_[j] = oldest_[j + 1];
        }
      }
      i = end;
    }
  }

  // The transactions that the reader read from, each with its first read.
  void gather_seen(TxnId reader) {
    seen_.clear();
    for (const OpId op : history_.ops(reader)) {
      if (attribution_.source[op.v] >= Attribution::kInit) continue;
      seen_.push_back({attribution_.op_txn[attribution_.source[op.v]], op});
    }
    std::sort(seen_.begin(), seen_.end(), [](const Seen& a, const Seen& b) {
      return a.txn != b.txn ? a.txn < b.txn : a.first < b.first;
    });
    seen_.erase(std::unique(seen_.begin(), seen_.end(),
                            [](const Seen& a, const Seen& b) {
                              return a.txn == b.txn;
                            }),
                seen_.end());
  }

  // A stale read of a key that `seen` writes, from an older writer.
  OpId contradicting_read(const Seen& seen) const {
    const auto written = lists_.keys_written_by(TxnId(seen.txn));
    if (written.size() <= keys_.size()) {
      auto from = keys_.begin();
      for (const std::uint32_t key : written) {
        from = std::lower_bound(from, keys_.end(), key,
                                [](const StaleKey& k, std::uint32_t wanted) {
                                  return k.key < wanted;
                                });
        if (from == keys_.end()) break;
        if (from->key != key) continue;
        const OpId read = contradicting_read(seen, *from);
        if (read.valid()) return read;
      }
    } else {
      auto from = written.begin();
      for (const StaleKey& key : keys_) {
        from = std::lower_bound(from, written.end(), key.key);
        if (from == written.end()) break;
        if (*from != key.key) continue;
        const OpId read = contradicting_read(seen, key);
        if (read.valid()) return read;
      }
    }
    return OpId();
  }

  OpId contradicting_read(const Seen& seen, const StaleKey& key) const {
    std::size_t at = key.first;
    if (program_order_) {
      at = static_cast<std::size_t>(std::upper_bound(reads_.begin() + key.first,
                                                     reads_.begin() + key.end,
                                                     seen.first) -
                                    reads_.begin());
    }
    if (at == key.end) return OpId();
    const OpId read = oldest_[at];
    return place_of_writer(read) < replay_.place[seen.txn] ? read : OpId();
  }

  const History& history_;
  const Attribution& attribution_;
  const Replay& replay_;
  const bool program_order_;
  const KeyLists lists_;
  // Of the current reader: its stale reads by key and program order, ...
  std::vector<OpId> reads_;
  // ... [entry of reads_] -> of the key's reads from there on, the one with the
  // oldest writer, ...
  std::vector<OpId> oldest_;
  std::vector<StaleKey> keys_;
  // ... the place of the oldest writer among all of them, ...
  std::uint32_t oldest_place_ = 0;
  // ... and whom it read from, by transaction.
  std::vector<Seen> seen_;
};

}  // namespace

std::string breach_of_direct(const History& history,
                             const Attribution& attribution, Premise premise,
                             const Replay& replay) {
  if (replay.stale.empty()) return "";
  if (premise == Premise::direct) {
    std::string breach =
        breach_of_guarantee(history, attribution, Premise::session, replay);
    if (!breach.empty()) return breach;
  }
  return DirectAxiom(history, attribution, replay,
                     premise == Premise::read_before)
      .by_reads();
}

std::string describe_breach(const History& history,
                            const Attribution& attribution, OpId read,
                            TxnId t2) {
  const TxnId t1 = attribution.writer(history, read.v);
  return fmt::format(
      "{} although it had seen {}, which also wrote {} and which the commit "
      "order puts after {}",
      describe_read(history, read, t1), history.txn_name(t2),
      history.key_label(history.key(read)), history.txn_name(t1));
}

}  // namespace awdit
