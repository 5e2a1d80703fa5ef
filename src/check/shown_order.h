// The order that a history of lists shows. Private to check/. See
// shown_order.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/index.h"
#include "polygraph/polygraph.h"

namespace awdit {

struct ShownOrder {
  // All live transactions: each comes after its predecessor in the session,
  // those it read from, those whose versions of a key are older, and those who
  // read such a version, unless it is in a tangle with them. Without tangles
  // the order is serial: a read returns what was written last.
  std::vector<std::uint32_t> txns;
  // Strongly connected components of more than one transaction: where they
  // begin and end in `txns`, ascending; within, by rank.
  struct Tangle {
    std::uint32_t begin, end;
  };
  std::vector<Tangle> tangles;
};

// The same for any number of threads. REQUIRES: a history of lists; no
// findings, repeatable reads, so u wr acyclic.
ShownOrder shown_order(const Index& index);

// The transactions of all tangles, and those from whom it is known how their
// versions follow each other; ascending in rank. Where these violate a level
// above causal, all do, and where they do not, no others do: see join().
std::vector<std::uint32_t> tangled_txns(const Index& index,
                                        const ShownOrder& order);

// Puts the order of the tangled ones in: solution.order has places in `txns`,
// which are tangled_txns(). Snapshots, if it has any: of all transactions.
struct Joined {
  std::vector<std::uint32_t> order;  // txns of the history
  std::vector<std::uint32_t> snapshots;
};
Joined join(const ShownOrder& order, std::span<const std::uint32_t> txns,
            const Solution& solution);

}  // namespace awdit
