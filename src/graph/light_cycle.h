// A cycle with as few heavy arcs as possible, and among those a short one.
//
// For each strongly connected component asked, every heavy arc u -> v is tried
// as the last arc of the cycle: a Dijkstra search from v to u, by (heavy arcs,
// arcs), cut off at the best found so far. Nodes may lie on chains (next()); a
// jump along a chain counts as one arc however far it goes, which is how a
// person reads it.
//
// Where light arcs lead to larger nodes only, as in an order of the graph, the
// way from a node behind the target to the target takes a heavy arc: so a
// search leaves the node alone if that is too expensive already.
//
// The result has the fewest heavy arcs unless the search exceeds its budget, in
// which case it is the best seen: exactness on a component of a million nodes
// would cost arcs times nodes. At least one search per component is completed.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/csr.h"
#include "graph/scc.h"

namespace awdit {

class LightCycleFinder {
 public:
  // Arcs with tag >= first_heavy are heavy; arcs with tag == chain_tag are left
  // to the chains. next[node]: the chain's next node, or kEnd.
  static constexpr std::uint32_t kEnd = 0xFFFF'FFFFu;
  LightCycleFinder(const Csr& graph, const Components& components,
                   const std::vector<std::uint32_t>& next,
                   std::uint32_t chain_tag, std::uint32_t first_heavy);

  // A cycle through `members`, the nodes of one component with more than one
  // node: consecutive arcs, the last one ending where the first begins. Ends
  // with a heavy arc if it has any. Jumps carry the chain's tag. `fewest`: no
  // cycle here has fewer arcs, so that one of these need not be improved on.
  std::vector<Arc> find(const std::vector<std::uint32_t>& members,
                        std::uint32_t fewest = 2);

 private:
  using Cost = std::uint64_t;
  static constexpr Cost kHeavy = Cost{1} << 32;
  static constexpr Cost kInfinite = ~Cost{0};

  Cost search(std::uint32_t from, std::uint32_t to, Cost bound);
  std::vector<Arc> path_to(std::uint32_t from, std::uint32_t to) const;

  const Csr& graph_;
  const Components& components_;
  const std::vector<std::uint32_t>& next_;
  std::uint32_t chain_tag_;
  std::uint32_t first_heavy_;
  bool light_ascends_ = true;

  struct Visit {
    Cost cost;
    std::uint32_t parent;
    std::uint32_t tag;
  };
  std::vector<Visit> visit_;                // [node], if stamp_ is current
  std::vector<std::uint32_t> stamp_;        // [node]
  std::vector<std::uint32_t> chain_stamp_;  // [node]: the chain was jumped to
  std::uint32_t now_ = 0;
  std::uint64_t steps_ = 0;  // arcs looked at, over all searches
};

}  // namespace awdit
