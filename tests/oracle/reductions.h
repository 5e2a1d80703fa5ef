// The paper's three reductions (section 4): graphs become histories whose
// verdict says whether the graph has a triangle. They are correctness tests
// with a known answer at any size, and the worst case of the running times.
//
//   range_reduction        every level from Read Committed to Causal holds iff
//                          the graph is triangle-free
//   two_session_reduction  Read Atomic holds iff it is (two sessions)
//   one_session_reduction  Read Committed holds iff it is (one session)
//
// A graph of m edges becomes a history of O(m) operations.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "history/history.h"

namespace awdit::oracle {

// Undirected, no loops, each edge once as (smaller, larger).
struct Graph {
  std::uint32_t nodes = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
};

// Each pair is an edge with this probability.
Graph random_graph(std::uint32_t nodes, double density, std::uint64_t seed);

// Triangle-free: about `edges` random edges between the even and the odd nodes.
Graph random_bipartite(std::uint32_t nodes, std::uint32_t edges,
                       std::uint64_t seed);

// Triangle-free and as dense as it gets: every even node with every odd one.
Graph complete_bipartite(std::uint32_t nodes);

// The graph with one triangle more, among three nodes chosen by the seed.
// REQUIRES: at least three nodes.
Graph with_triangle(Graph graph, std::uint64_t seed);

// Compares all neighbours of the two ends of every edge: slow and obvious.
bool has_triangle(const Graph& graph);

History range_reduction(const Graph& graph);
History two_session_reduction(const Graph& graph);
History one_session_reduction(const Graph& graph);

}  // namespace awdit::oracle
