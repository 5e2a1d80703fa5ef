// What all levels share, computed once from a history. Private to check/.
//
// A pipeline of values, each made from those before it:
//
// 1. *Sources* (check/sources.h): every read is attributed to the transaction
//    it read from; reads that break Read Consistency become findings.
// 2. *Live* (check/promotion.h): unknown transactions that somebody read from
//    count as committed ("promoted"); the others are left out.
// 3. *Order* (check/order.h), a guess at the commit order: the order of the
//    input, of times or of ids, whichever is the most promising
//    (check/guess.cpp); if it does not agree with reads-from, a topological
//    order of so u wr close to it. Most histories are nearly serial in such an
//    order. What lists show of the order of versions (check/list_versions.h) is
//    part of every commit order; so the guess contains it, too, if it can.
// 4. *Stale* reads (check/stale_reads.h): those whose source is not the latest
//    writer of the key before them in the guessed order. Where there are many,
//    most are harmless (check/looks.h): the others are those of *suspects*.
//
// Where nothing is in doubt, 1 and 4 are found on one walk in the order of 3
// (check/source_walk.h). Events (check/events.h) are made only of the keys that
// a level asks for.
//
// The point of 3 and 4: an axiom infers "t2 before t1" only from a reader t3
// that reads a key from t1 and has seen t2, another writer of the key. If the
// read is not stale, t2 comes before t1 in the guessed order anyway. So only
// stale reads can contradict the guess, and a history without them satisfies
// every level, if the guess contains what lists show; the levels look at the
// suspects (check/commit_graph.h).
//
// Cost: O(n) time; 4 bytes per operation besides the history, and 8 more for
// each operation on a key whose events are asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/budget.h"
#include "base/result.h"
#include "check/check.h"
#include "check/events.h"
#include "check/list_versions.h"
#include "check/looks.h"
#include "check/order.h"
#include "check/promotion.h"
#include "check/sources.h"
#include "check/split.h"
#include "check/stale_reads.h"
#include "check/write_sets.h"
#include "history/history.h"

namespace awdit {

// A strongly connected component of the commit order that a level forces.
struct Tangle {
  struct Arc {
    std::uint32_t from, to;  // txns
    std::uint32_t reader;    // of an inference; kNoId: it is so or wr
  };
  std::vector<std::uint32_t> txns;
  std::vector<Arc> arcs;  // within, the inferences of every reader
};

struct Dependencies;
struct ShownOrder;
struct NearSerial;

// What is to be expected of an order.
struct Outlook {
  Order order;
  StaleReads stale = {};
  Looks looks = {};
};

class Index {
 public:
  // Fails on a duplicate write. `history` must outlive the index.
  // Throws UsedUp if the work is cancelled meanwhile.
  static Result<Index> build(const History& history, unsigned threads,
                             std::uint32_t grain, const Work* work = nullptr);

  const History& history() const { return *history_; }
  unsigned threads() const { return split_.threads; }
  // What the level that is being decided may take.
  const Budget& budget() const { return *budget_; }
  void set_budget(const Budget& budget) { budget_ = &budget; }

  bool live(std::uint32_t txn) const { return live_[txn]; }
  const std::vector<TxnId>& promoted() const { return live_.promoted; }
  std::uint32_t dropped() const { return live_.dropped; }
  // The live transaction before `txn` in its session, or kNoId.
  std::uint32_t previous(std::uint32_t txn) const { return previous_[txn]; }

  // Reads of live transactions: how many were judged.
  std::uint64_t reads() const { return sources_.reads; }
  // [op]
  std::span<const std::uint32_t> sources() const { return sources_.of; }

  // The guessed order: [rank] -> txn, init first; and [txn] -> rank (kNoId if
  // not live). It contains so; it contains wr iff acyclic(), and the versions
  // of lists iff versions_agree().
  std::span<const std::uint32_t> order() const { return order_.txns; }
  std::span<const std::uint32_t> ranks() const { return order_.ranks; }
  // Whether so u wr is.
  bool acyclic() const { return acyclic_; }
  // Of lists; empty otherwise.
  const ListVersions& versions() const { return versions_; }
  bool versions_agree() const { return versions_agree_; }

  // Whether anything has a stale read; [key].
  bool any_stale() const { return stale_.any; }
  std::span<const std::uint8_t> stale_keys() const { return stale_.keys; }
  // The stale reads that may contradict the order, at levels up to causal: all
  // of them, until somebody has asked.
  const StaleReads& suspects() const {
    return looks_ ? looks_->suspects : stale_;
  }
  // Tells them from the others, if they are many.
  void find_suspects();
  // Does so, and changes the order for one that has fewer, as long as it helps
  // much; mend() as long as there are any and it helps at all. Returns whether
  // it did. REQUIRES of the latter: acyclic() and versions_agree().
  void mend_roughly();
  bool mend();
  // REQUIRES: acyclic() and versions_agree().
  const Looks& looks();
  // The same in another order of the live transactions (without init), which
  // contains so u wr.
  Outlook outlook(std::span<const std::uint32_t> order) const;

  // Makes the events of these keys ([key] -> not 0; empty: all keys), and of no
  // others, unless they are there.
  void make_events(std::span<const std::uint8_t> keys);
  // Calls body(worker, key, events) for each key that has events, from several
  // threads.
  template <typename Body>
  void for_each_key_with_events(Body&& body) const {
    events_.for_each_key(split_.threads, body);
  }

  const WriteSets& write_sets() const { return write_sets_; }

  // What deciding one level leaves behind for the others.
  struct Known {
    // All live transactions as a polygraph, and what came of it. See
    // dependencies.cpp.
    std::shared_ptr<Dependencies> dependencies;
    // Of lists: the order that they show.
    std::shared_ptr<const ShownOrder> shown_order;
    // An order close to a serial one: see guessed_orders.h.
    std::shared_ptr<const NearSerial> near;
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
  bool leaves_out_reads() const { return !left_out_.empty(); }
  // Brings what follows from sources up to date. REQUIRED before a level is
  // decided.
  void settle();
  // All reads by these transactions, and all reads of what they wrote; of
  // init's values, if it is among them, those of keys that the others wrote.
  std::vector<OpId> reads_around(std::span<const std::uint32_t> txns) const;

  // Findings, by ascending read. They and non_repeatable() are those of the
  // whole history, whatever is left out.
  const std::vector<Violation>& findings() const { return sources_.findings; }
  const std::vector<Violation>& non_repeatable() const {
    return sources_.non_repeatable;
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
  Index() = default;

  bool find_versions();
  void put_sources_first(bool stale_is_known);
  void find_stale();
  bool mend(Blame blame);
  // Puts back the sources of what is left out, or takes them away again.
  void exchange_left_out();
  // [txn] -> whom it follows. Without session order sessions are a hint.
  std::span<const std::uint32_t> followed() const {
    return history_->session_order() ? previous_.span() : recorded_.span();
  }
  void find_cycles();

  const History* history_ = nullptr;
  Split split_;
  const Budget* budget_ = &Budget::unlimited();
  Sources sources_;
  Live live_;
  Array<std::uint32_t> previous_;  // [txn]
  Array<std::uint32_t> recorded_;  // [txn]; only without session order
  Order order_;
  bool acyclic_ = true;
  ListVersions versions_;
  bool versions_agree_ = true;
  StaleReads stale_;
  bool stale_is_whole_ = true;  // found with nothing left out
  std::optional<Looks> looks_;
  bool mended_ = false;  // as far as it goes
  bool roughly_mended_ = false;
  WriteSets write_sets_;
  std::vector<Violation> causality_cycles_;
  std::vector<Violation> dependency_cycles_;

  Events events_;
  std::vector<std::uint8_t> events_of_;  // [key] -> whether it was asked for
  bool has_events_ = false;
  Known known_;

  bool whole_is_cyclic_ = false;  // so, wr, versions with nothing left out
  std::vector<OpId> left_out_;
  // Likewise: their sources, or while these are back, kSetAside.
  std::vector<std::uint32_t> left_out_source_;
  bool settled_ = true;
};

}  // namespace awdit
