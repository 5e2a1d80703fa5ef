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
// is txns[i]. Of lists, what the longest ones that they read of a key show is
// known. O(n), and n log n where there are times or lists.
// REQUIRES: no findings, repeatable reads, so u wr acyclic.
// `chains`: [i] -> the chain of txns[i], ascending in rank; empty: sessions.
Polygraph make_polygraph(const Index& index,
                         std::span<const std::uint32_t> txns,
                         std::span<const std::uint32_t> chains = {});

}  // namespace awdit
