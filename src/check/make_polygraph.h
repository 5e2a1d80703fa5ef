// The transactions of a history as a polygraph. Private to check/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/index.h"
#include "polygraph/polygraph.h"

namespace awdit {

// These live transactions (without init), and of their reads those whose writer
// is among them or init. `txns` ascend in rank; transaction i of the polygraph
// is txns[i]. Of lists, what the longest of the lists that they read of a key
// shows is known. O(n), and n log n where there are times.
// REQUIRES: no findings, repeatable reads, so u wr acyclic.
Polygraph make_polygraph(const Index& index,
                         std::span<const std::uint32_t> txns);

// Of a key of a list history: pairs of transactions that appended neighbouring
// elements, of those asked for by `wanted`, and the read that shows it.
struct Neighbours {
  std::uint32_t key;
  std::uint32_t older, newer;  // txns of the history
  std::uint32_t reader;
  OpId read;
};
std::vector<Neighbours> neighbours_in_lists(
    const Index& index, std::span<const std::uint32_t> txns);

}  // namespace awdit
