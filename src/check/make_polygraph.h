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
Polygraph make_polygraph(const Index& index,
                         std::span<const std::uint32_t> txns);

// What a list shows: an element of `older` is in it, and either directly before
// one of `newer`, or, before the reader's own elements, the last one that
// `newer` appended to the key is not in it at all.
struct Shown {
  std::uint32_t key;
  std::uint32_t older, newer;  // txns of the history
  std::uint32_t reader;
  OpId read;
};
std::vector<Shown> shown_in_lists(const Index& index,
                                  std::span<const std::uint32_t> txns);

}  // namespace awdit
