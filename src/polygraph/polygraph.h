// Orders of versions without forbidden cycles. Front door.
//
// A polygraph is what is known of an execution: transactions, chains of them
// that are ordered, who wrote which version of a key and who read it. What is
// not known is the order of the versions of each key. `solve` looks for one
// without a cycle of dependencies that is forbidden, or finds out that there is
// none. Everything is a number here; what keys and values are is the caller's
// business.
//
// Dependencies are chain order, reads-from (wr), version order (ww),
// anti-dependency (rw: from the reader of a version to the writer of a later
// one) and, if asked, real time.
//
// How: (0) windows.h finds where the order of their numbers goes wrong; the
// rest stays as it is, if that leads to an answer. (1) saturate.h infers what
// every order of versions must have in common, by clocks over chains. (2) A
// total order that agrees with it is replayed (replay.h); mostly it is an
// answer already. (3) Otherwise the pairs of writers that the replay has
// stumbled over, and only those, become variables of a search (search.h), until
// a replay succeeds or the search has refuted them. Step 3 is lazy: of millions
// of pairs that are undecided in principle, those in which nobody reads are
// never looked at, which is what the "unread rule", "coalescing" and the
// enumeration of windows of our field achieve by other means.
//
// Cost: O((transactions + dependencies) * chains) for each of a few rounds,
// then a search, exponential at worst (the problem is NP-complete) and hardly
// noticeable as a rule. Deterministic.
// Sources: Papadimitriou, JACM 1979 (polygraphs); Tan et al., OSDI 2020
// (Cobra); Cerone and Gotsman, JACM 2018; Zhang et al., EuroSys 2023 (split
// nodes).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/budget.h"
#include "base/ids.h"
#include "base/number_lists.h"

namespace awdit {

struct Polygraph {
  // Transactions are numbered so that chains and reads-from lead upwards; the
  // better a guess at the commit order this is, the less there is to search.
  std::uint32_t txns = 0;
  std::uint32_t chains = 0;
  std::vector<std::uint32_t> chain;     // [txn]
  std::vector<std::uint32_t> position;  // [txn] in its chain
  std::vector<std::uint32_t> previous;  // [txn] in its chain, or kNoId
  // [txn] -> 1 if it follows `previous` only because it read from it
  std::vector<std::uint8_t> linked;

  // Versions: key by key, within a key by chain and position.
  std::uint32_t keys = 0;
  std::vector<std::uint32_t> key_first;  // [key + 1] -> version
  std::vector<std::uint32_t> writer;     // [version] -> txn
  std::vector<std::uint32_t> key_of;     // [version]
  std::vector<std::uint32_t> key_name;   // [key] -> the caller's number

  // A transaction reads a key from one version at most, and never its own.
  static constexpr std::uint32_t kInitial = kNoId;
  struct Read {
    std::uint32_t key;
    std::uint32_t version;  // or kInitial
  };
  std::vector<std::uint32_t> read_first;  // [txn + 1]
  std::vector<Read> reads;
  NumberLists writes;  // [txn] -> versions

  // The last reader of a version in each chain; others follow from it.
  NumberLists readers;          // [version] -> txns
  NumberLists initial_readers;  // [key] -> txns, of the initial version

  // Pairs of versions of which the first is known to be older, because `shown`
  // (a transaction) saw it.
  struct Known {
    std::uint32_t older;
    std::uint32_t newer;
    std::uint32_t shown;
  };
  std::vector<Known> known;

  // Real time: `ended` lists transactions by their end, clock after clock. When
  // txn began those of a clock had ended that stand in `ended` from
  // clock_first[clock] up to ended_before[txn * clocks + clock]. Empty: not
  // known.
  std::vector<std::uint32_t> ended;
  std::vector<std::uint32_t> clock_first = {0};
  std::vector<std::uint32_t> ended_before;
  std::size_t clocks() const { return clock_first.size(); }

  // Fills key_of, readers, initial_readers and writes from the rest.
  void complete();

  std::span<const Read> reads_of(std::uint32_t txn) const {
    return {reads.data() + read_first[txn], reads.data() + read_first[txn + 1]};
  }
  // The version of the key that txn wrote, or kNoId. O(log).
  std::uint32_t version_of(std::uint32_t txn, std::uint32_t key) const;
};

// Which cycles are forbidden.
enum class Forbidden : std::uint8_t {
  prefix,    // each rw directly behind a chain, wr or real time
  parallel,  // with one rw at most
  snapshot,  // no two rw adjacent
  all,
};

struct Demand {
  Forbidden forbidden = Forbidden::all;
  bool real_time = false;  // counts as a dependency
};

struct Bounds {
  const Budget* budget = &Budget::unlimited();
  std::uint64_t conflicts = ~std::uint64_t{0};  // of the search
};

struct Solution {
  enum class Answer : std::uint8_t {
    order,
    refuted,
    out_of_time,
    out_of_memory,
    out_of_conflicts
  };
  Answer answer = Answer::out_of_time;
  // An order of all transactions by their commits; version order is commit
  // order. Of prefix and snapshot also where the snapshots are: [i] -> how many
  // of the first transactions of `order` that of order[i] contains.
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> snapshots;
  // If refuted: sets of transactions each of which has no such order by itself
  // (with its versions, its reads of those, and chains and real time as they
  // are). Ascending.
  std::vector<std::vector<std::uint32_t>> cores;
  std::uint64_t decisions = 0;  // of the search
};

// At most `most` cores. Bounds are kept at every stage.
Solution solve(const Polygraph& polygraph, const Demand& demand,
               const Bounds& bounds, std::size_t most);

// Whether every read returns the version that comes last before it in this
// order of the transactions, which agrees with chains.
bool is_serial(const Polygraph& polygraph,
               std::span<const std::uint32_t> order);
// Whether nobody comes before one that had ended when it began.
bool keeps_real_time(const Polygraph& polygraph,
                     std::span<const std::uint32_t> order);

}  // namespace awdit
