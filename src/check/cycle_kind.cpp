// What a cycle is called: one with inferred edges after the weakest premise
// that they need.
//
// A session that misses its own write misses it at every level that forbids
// that, whichever was asked for. So the steps by which an edge's reader saw say
// which premise the edge needs; two that need different ones need the next that
// has both, which is `direct` up to Read Atomic and `depends_on` otherwise.
// Cost: one look at each edge.
#include <algorithm>

#include "check/commit_graph.h"

namespace awdit {
namespace {

Premise premise_of(const Edge& edge) {
  const auto reads = [&](std::size_t i) {
    return edge.seen[i].reason == Reason::reads_from;
  };
  switch (edge.seen.size()) {
    case 1:
      if (!reads(0)) return Premise::session;
      return edge.seen[0].read < edge.read ? Premise::read_before
                                           : Premise::direct;
    case 2:
      if (!reads(1)) return Premise::read_session;
      return reads(0) ? Premise::read_read : Premise::session_read;
    case 3:
      if (reads(0) && !reads(1) && reads(2)) return Premise::read_read;
      break;
    default:
      break;
  }
  return Premise::depends_on;
}

Premise join(Premise a, Premise b) {
  const auto is_direct = [](Premise premise) {
    return premise == Premise::read_before || premise == Premise::session ||
           premise == Premise::direct;
  };
  if (a == b) return a;
  return is_direct(a) && is_direct(b) ? Premise::direct : Premise::depends_on;
}

}  // namespace

Kind kind_of_cycle(const Cycle& cycle) {
  Premise needed = Premise::nobody;
  for (const Edge& edge : cycle.edges) {
    if (edge.reason != Reason::inferred) continue;
    const Premise premise = premise_of(edge);
    needed = needed == Premise::nobody ? premise : join(needed, premise);
  }
  if (needed == Premise::nobody) {
    return cycle.lemmas.empty() ? Kind::causality_cycle
                                : Kind::dependency_cycle;
  }
  return std::ranges::find(levels(), needed, &Level::premise)->cycle;
}

}  // namespace awdit
