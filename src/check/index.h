// What all levels share, computed once from a history. Private to check/.
//
// 1. *Sources*: every read is attributed to the transaction it read from; reads
//    that break Read Consistency become findings and are set aside. A list is
//    attributed by its last element; the others are judged by check/lists.h.
// 2. *Statuses*: unknown transactions that somebody read from count as
//    committed ("promoted"); the others are left out. What remains is "live".
// 3. *A guessed commit order*: the order of the input if it agrees with
//    reads-from, otherwise a topological order of so u wr that stays close to
//    it. Most histories are nearly serial in such an order.
// 4. *Events*: per key, who wrote and who read it, in the guessed order. A read
//    is *stale* if its source is not the latest writer before it there.
//
// The point of 3 and 4: an axiom infers "t2 before t1" only from a reader t3
// that reads a key from t1 and has seen t2, another writer of the key. If the
// read is not stale, t2 comes before t1 in the guessed order anyway. So only
// stale reads can contradict the guess, and a history without them satisfies
// every level; the levels look at the stale ones (check/commit_graph.h).
//
// Cost: O(n) time; 4 bytes per operation besides the history, and 8 more once
// events are asked for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/result.h"
#include "check/by_key.h"
#include "check/check.h"
#include "check/write_sets.h"
#include "history/history.h"

namespace awdit {

// [op] -> where a read read from: a transaction (init_txn() for init) or
inline constexpr std::uint32_t kIsWrite = 0xFFFF'FFFFu;
inline constexpr std::uint32_t kOwnRead = 0xFFFF'FFFEu;   // its own write
inline constexpr std::uint32_t kSetAside = 0xFFFF'FFFDu;  // finding, not live
inline constexpr bool is_external(std::uint32_t source) {
  return source < kSetAside;
}

// A transaction that writes or reads a key. Each writer has one event; each
// reader one, for its first external read of the key.
struct Event {
  static constexpr std::uint32_t kWrite = 0xFFFF'FFFFu;
  static constexpr std::uint32_t kStale = 0x8000'0000u;

  std::uint32_t txn;
  std::uint32_t source;  // kWrite, or the source, plus kStale if stale

  bool is_write() const { return source == kWrite; }
  bool is_stale() const { return (source & kStale) != 0; }  // of reads
  std::uint32_t read_from() const { return source & ~kStale; }
};

class Index {
 public:
  // Fails on a duplicate write. `history` must outlive the index.
  static Result<Index> build(const History& history, unsigned threads);

  const History& history() const { return *history_; }
  unsigned threads() const { return threads_; }

  bool live(std::uint32_t txn) const { return live_[txn] != 0; }
  const std::vector<TxnId>& promoted() const { return promoted_; }
  std::uint32_t dropped() const { return dropped_; }

  // Reads of live transactions: how many were judged.
  std::uint64_t reads() const { return reads_; }

  // [op]
  std::span<const std::uint32_t> sources() const { return source_; }

  // The guessed order: [rank] -> txn, init first; and [txn] -> rank (kNoId if
  // not live). It contains so; it contains wr iff acyclic().
  std::span<const std::uint32_t> order() const { return order_; }
  std::span<const std::uint32_t> ranks() const { return rank_; }
  // Whether so u wr is.
  bool acyclic() const { return acyclic_; }

  // The live transaction before `txn` in its session, or kNoId.
  std::uint32_t previous(std::uint32_t txn) const { return previous_[txn]; }

  // REQUIRES for the next two: require_events() was called.
  void require_events();
  std::span<const Event> events(std::uint32_t key) const {
    return {events_.data() + layout_.first[key], event_count_[key]};
  }
  // Whether the key has a stale read.
  bool key_stale(std::uint32_t key) const { return key_stale_[key] != 0; }

  const KeyLayout& layout() const { return layout_; }
  // Whether the transaction, or any, has a stale read.
  bool txn_stale(std::uint32_t txn) const { return txn_stale_[txn] != 0; }
  bool any_stale() const { return any_stale_; }

  const WriteSets& write_sets() const { return write_sets_; }

  // Findings, by ascending read.
  const std::vector<Violation>& findings() const { return findings_; }
  const std::vector<Violation>& non_repeatable() const {
    return non_repeatable_;
  }
  // One per strongly connected component of so u wr.
  const std::vector<Violation>& causality_cycles() const {
    return causality_cycles_;
  }

 private:
  friend class SourceFinder;
  friend class EventWriter;
  friend class ListFinder;
  Index() = default;

  const History* history_ = nullptr;
  unsigned threads_ = 1;
  Array<std::uint8_t> live_;  // [txn]
  std::vector<TxnId> promoted_;
  std::uint32_t dropped_ = 0;
  std::uint64_t reads_ = 0;
  Array<std::uint32_t> source_;    // [op]
  Array<std::uint32_t> order_;     // [rank]
  Array<std::uint32_t> rank_;      // [txn + 1]
  Array<std::uint32_t> previous_;  // [txn]
  bool acyclic_ = true;
  KeyLayout layout_;
  Array<Event> events_;               // at layout_.first[key]
  Array<std::uint32_t> event_count_;  // [key]
  Array<std::uint8_t> key_stale_;     // [key]
  Array<std::uint8_t> txn_stale_;     // [txn]
  bool any_stale_ = false;
  WriteSets write_sets_;
  std::vector<Violation> findings_;
  std::vector<Violation> non_repeatable_;
  std::vector<Violation> causality_cycles_;

  void set_order(std::span<const std::uint32_t> walk);
  bool sweep_events();
};

}  // namespace awdit
