// What all levels share, computed once from a history. Private to check/.
//
// 1. *Sources*: every read is attributed to the transaction it read from; reads
//    that break Read Consistency become findings and are set aside. A list is
//    attributed to the maker of the version that it is, without the reader's
//    own elements at its end (check/lists.h).
// 2. *Statuses*: unknown transactions that somebody read from count as
//    committed ("promoted"); the others are left out. What remains is "live".
// 3. *A guessed commit order*: the order of the input, of times or of ids,
//    whichever is the most promising (check/guess.h); if it does not agree with
//    reads-from, a topological order of so u wr close to it. Most histories are
//    nearly serial in such an order.
// 4. *Stale reads*: a read is stale if its source is not the latest writer of
//    the key before its transaction in the guessed order.
// 5. *Versions of lists*: the order of writers that lists show is part of every
//    commit order (check/list_versions.h); so the guess contains it, too, if it
//    can.
//
// Events (per key, who wrote and who read it, in the guessed order) are made
// only of the keys that a level asks for.
//
// The point of 3 and 4: an axiom infers "t2 before t1" only from a reader t3
// that reads a key from t1 and has seen t2, another writer of the key. If the
// read is not stale, t2 comes before t1 in the guessed order anyway. So only
// stale reads can contradict the guess, and a history without them satisfies
// every level, if the guess contains what lists show; the levels look at the
// stale ones (check/commit_graph.h).
//
// Cost: O(n) time; 4 bytes per operation besides the history, and 8 more for
// each operation on a key whose events are asked for.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/budget.h"
#include "base/parallel.h"
#include "base/result.h"
#include "check/by_key.h"
#include "check/check.h"
#include "check/list_versions.h"
#include "check/write_sets.h"
#include "history/history.h"

namespace awdit {

// [op] -> where a read read from: a transaction (init_txn() for init) or
inline constexpr std::uint32_t kIsWrite = 0xFFFF'FFFFu;
inline constexpr std::uint32_t kOwnRead = 0xFFFF'FFFEu;   // a register's own
inline constexpr std::uint32_t kSetAside = 0xFFFF'FFFDu;  // finding, not live
inline constexpr bool is_external(std::uint32_t source) {
  return source < kSetAside;
}

// A transaction that writes or reads a key. Each writer has one event; each
// reader one, for its first external read of the key. Of one transaction the
// read comes first.
struct Event {
  static constexpr std::uint32_t kWrite = 0xFFFF'FFFFu;
  static constexpr std::uint32_t kStale = 0x8000'0000u;

  std::uint32_t txn;
  std::uint32_t source;  // kWrite, or the source, plus kStale if stale

  bool is_write() const { return source == kWrite; }
  bool is_stale() const { return (source & kStale) != 0; }  // of reads
  std::uint32_t read_from() const { return source & ~kStale; }
};

// A strongly connected component of the commit order that a level forces.
struct Tangle {
  struct Arc {
    std::uint32_t from, to;  // txns
    std::uint32_t reader;    // of an inference; kNoId: it is so or wr
  };
  std::vector<std::uint32_t> txns;
  std::vector<Arc> arcs;  // within, the inferences of every reader
};

struct StaleRead {
  std::uint32_t op, txn;
};

struct StaleReads;
struct Dependencies;

class Index {
 public:
  // Fails on a duplicate write. `history` must outlive the index.
  static Result<Index> build(const History& history, unsigned threads,
                             std::uint32_t grain);

  const History& history() const { return *history_; }
  unsigned threads() const { return threads_; }
  // What the level that is being decided may take.
  const Budget& budget() const { return *budget_; }
  void set_budget(const Budget& budget) { budget_ = &budget; }
  // Into how many parts a walk through all operations is cut, each of which has
  // a table of all keys: as many as there are threads, unless there is too
  // little to do, or the tables would be larger than the history. Returns where
  // the parts begin and end in order(), about equal in operations.
  std::vector<std::size_t> cut(std::size_t bytes_per_key) const;

  bool live(std::uint32_t txn) const { return live_[txn] != 0; }
  const std::vector<TxnId>& promoted() const { return promoted_; }
  std::uint32_t dropped() const { return dropped_; }

  // Reads of live transactions: how many were judged.
  std::uint64_t reads() const { return reads_; }

  // [op]
  std::span<const std::uint32_t> sources() const { return source_; }

  // The guessed order: [rank] -> txn, init first; and [txn] -> rank (kNoId if
  // not live). It contains so; it contains wr iff acyclic(), and the versions
  // of lists iff versions_agree().
  std::span<const std::uint32_t> order() const { return order_; }
  std::span<const std::uint32_t> ranks() const { return rank_; }
  // Whether so u wr is.
  bool acyclic() const { return acyclic_; }
  // Of lists; empty otherwise.
  const ListVersions& versions() const { return versions_; }
  bool versions_agree() const { return versions_agree_; }

  // The live transaction before `txn` in its session, or kNoId.
  std::uint32_t previous(std::uint32_t txn) const { return previous_[txn]; }

  // Whether the key, the transaction, or anything has a stale read.
  bool key_stale(std::uint32_t key) const { return key_stale_[key] != 0; }
  bool txn_stale(std::uint32_t txn) const { return txn_stale_[txn] != 0; }
  bool any_stale() const { return any_stale_; }
  std::span<const std::uint8_t> stale_keys() const { return key_stale_; }

  // Makes the events of these keys ([key] -> not 0; empty: all keys), and of no
  // others, unless they are there.
  void make_events(std::span<const std::uint8_t> keys);
  // Calls body(worker, key, events) for each key that has events, from several
  // threads.
  template <typename Body>
  void for_each_key_with_events(Body&& body) const;

  const WriteSets& write_sets() const { return write_sets_; }

  // What deciding one level leaves behind for the others.
  struct Known {
    // All live transactions as a polygraph, and what came of it. See
    // dependencies.cpp.
    std::shared_ptr<Dependencies> dependencies;
    // Where the commit order that the last level forces has cycles.
    std::vector<Tangle> tangles;
  };
  Known& known() { return known_; }
  // Frees what levels have left behind: it is made again if it is needed.
  void forget();

  // -- with reads left out: see narrow.cpp and check/ladder.h -----------------

  // Leaves out these reads, ascending, all of which have a source, and no
  // others: what was left out before and is not among them counts again.
  void leave_out(std::span<const OpId> reads);
  std::span<const OpId> left_out() const { return left_out_; }
  // Brings what follows from sources up to date. REQUIRED before a level is
  // decided.
  void settle();
  // All reads by these transactions, and all reads of what they wrote; of
  // init's values, if it is among them, those of keys that the others wrote.
  std::vector<OpId> reads_around(std::span<const std::uint32_t> txns) const;

  // Findings, by ascending read. They and non_repeatable() are those of the
  // whole history, whatever is left out.
  const std::vector<Violation>& findings() const { return findings_; }
  const std::vector<Violation>& non_repeatable() const {
    return non_repeatable_;
  }
  // One per strongly connected component of so u wr.
  const std::vector<Violation>& causality_cycles() const {
    return causality_cycles_;
  }
  // One per strongly connected component of so, wr and the versions of lists,
  // unless it has one of the former.
  const std::vector<Violation>& dependency_cycles() const {
    return dependency_cycles_;
  }

 private:
  friend class SourceFinder;
  friend class SourceWalk;
  friend class ListFinder;
  friend StaleReads find_stale_reads(Index& index);
  Index() = default;

  const History* history_ = nullptr;
  unsigned threads_ = 1;
  const Budget* budget_ = &Budget::unlimited();
  std::uint32_t grain_ = 1;
  Array<std::uint8_t> live_;  // [txn]
  std::vector<TxnId> promoted_;
  std::uint32_t dropped_ = 0;
  std::uint64_t reads_ = 0;
  Array<std::uint32_t> source_;    // [op]
  Array<std::uint32_t> order_;     // [rank]
  Array<std::uint32_t> rank_;      // [txn + 1]
  Array<std::uint32_t> previous_;  // [txn]
  bool acyclic_ = true;
  ListVersions versions_;
  bool versions_agree_ = true;
  bool whole_is_cyclic_ = false;  // so, wr, versions with nothing left out
  std::vector<OpId> left_out_;
  std::vector<std::uint32_t> left_out_source_;  // likewise
  bool settled_ = true;
  Array<std::uint8_t> key_stale_;  // [key]
  Array<std::uint8_t> txn_stale_;  // [txn]
  bool any_stale_ = false;
  // Of the whole history, in no order, if there are few.
  std::vector<StaleRead> few_stale_;
  bool few_are_stale_ = false;
  std::vector<std::uint8_t> events_of_;  // [key] -> whether it was asked for
  bool has_events_ = false;
  struct KeyEvents {
    std::uint32_t key;
    std::uint32_t count;
    std::uint64_t first;  // in events_
  };
  std::vector<KeyEvents> key_events_;  // by key
  Array<Event> events_;
  WriteSets write_sets_;
  Known known_;
  std::vector<Violation> findings_;
  std::vector<Violation> non_repeatable_;
  std::vector<Violation> causality_cycles_;
  std::vector<Violation> dependency_cycles_;

  void set_order(std::span<const std::uint32_t> walk);
  Outcome find_sources(std::uint32_t unknown);
  bool versions_ascend() const;
  void put_sources_first();
  void keep(StaleReads stale);
  void mark_stale_again();
  void find_cycles();
  struct EventTuple;
  bool make_few_events(std::span<const std::uint8_t> keys);
  std::uint32_t write_events(std::span<const EventTuple> tuples,
                             Event* out) const;
  // From several threads.
  void mark_stale(std::uint32_t txn, std::uint32_t key) {
    std::atomic_ref<std::uint8_t>(txn_stale_[txn])
        .store(1, std::memory_order_relaxed);
    std::atomic_ref<std::uint8_t>(key_stale_[key])
        .store(1, std::memory_order_relaxed);
  }
};

template <typename Body>
void Index::for_each_key_with_events(Body&& body) const {
  constexpr std::size_t kBlock = 64;
  parallel_for((key_events_.size() + kBlock - 1) / kBlock, threads_,
               [&](std::size_t block, unsigned worker) {
                 const std::size_t last =
                     std::min(key_events_.size(), (block + 1) * kBlock);
                 for (std::size_t i = block * kBlock; i < last; ++i) {
                   const KeyEvents& entry = key_events_[i];
                   body(worker, entry.key,
                        std::span<const Event>(events_.data() + entry.first,
                                               entry.count));
                 }
               });
}

}  // namespace awdit
