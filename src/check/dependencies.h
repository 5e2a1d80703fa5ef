// The parts of the engine of dependencies.cpp, each in the file of its name.
// Private to check/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/index.h"
#include "check/op_finder.h"
#include "polygraph/polygraph.h"

namespace awdit {

enum class Outside : std::uint8_t { nobody, initial };

// The transactions of a history as a polygraph: these live ones (without init),
// and of their reads those whose writer is among them or init. `txns` ascend in
// rank; transaction i of the polygraph is txns[i]. Of lists, what the longest
// ones that they read of a key show is known. O(n), and n log n where there are
// times or lists. `chains`: [i] -> the chain of txns[i], ascending in rank;
// empty: sessions. Reads of what others wrote are left out, or count as reads
// of initial values. REQUIRES: no findings, repeatable reads, so u wr acyclic.
Polygraph make_polygraph(const Index& index,
                         std::span<const std::uint32_t> txns,
                         std::span<const std::uint32_t> chains = {},
                         Outside outside = Outside::nobody);

// What a list shows: an element of `older` is in it, and either one of `newer`
// behind it, or none of `newer` at all.
struct Shown {
  std::uint32_t key;
  std::uint32_t older, newer;  // txns of the history
  std::uint32_t reader;
  OpId read;
};
// What the lists show that these transactions read, about these transactions.
std::vector<Shown> shown_in_lists(const Index& index,
                                  std::span<const std::uint32_t> txns);

// Adds lost updates to `found`, by their reads. `txns`: [transaction of the
// graph]. `first`: one is enough. Those found before the time limit are in
// `found`.
void find_lost_updates(const Index& index, OpFinder& finder,
                       const Polygraph& graph,
                       std::span<const std::uint32_t> txns, bool first,
                       std::vector<Violation>& found);

// prover.cpp: the proof that these live transactions, ascending in rank, with
// the reads among them, violate the level, which must be above causal. Empty:
// they do have an order, or the proof would suppose more than kDeepestLemma
// things one within the other.
std::optional<Violation> prove_violation(const Index& index, OpFinder& finder,
                                         const Level& level,
                                         std::span<const std::uint32_t> txns);

}  // namespace awdit
