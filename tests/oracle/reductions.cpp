// For each node a: a transaction that writes x_a and x_b for each neighbour b,
// and one that reads x_b from each neighbour's write transaction. If a, b, c
// form a triangle, c's reader sees both a's and b's write transaction, each of
// which wrote the key that the reader took from the other: a contradiction.
// Without a triangle nothing is ever ordered.
//
// Read Committed looks at reads in program order, so there the reader first
// touches every neighbour through a key x_b^a of its own.
#include "oracle/reductions.h"

#include <algorithm>
#include <random>
#include <set>

#include "base/assert.h"
#include "history/builder.h"

namespace awdit::oracle {
namespace {

using Neighbours = std::vector<std::vector<std::uint32_t>>;

Neighbours neighbours_of(const Graph& graph) {
  Neighbours result(graph.nodes);
  for (const auto& [a, b] : graph.edges) {
    result[a].push_back(b);
    result[b].push_back(a);
  }
  for (auto& list : result) std::sort(list.begin(), list.end());
  return result;
}

// Keys x_a and x_a^b as integers; the value that a's transaction writes.
Atom node_key(std::uint32_t a) { return Atom::integer(a); }
Atom edge_key(const Graph& graph, std::uint32_t a, std::uint32_t b) {
  return Atom::integer((std::int64_t{a} + 1) * graph.nodes + b);
}
Atom value_of(std::uint32_t a) { return Atom::integer(std::int64_t{a} + 1); }

void write_operations(Builder::Shard& shard, const Graph& graph,
                      const Neighbours& neighbours, std::uint32_t a,
                      bool edge_keys) {
  for (std::uint32_t b : neighbours[a]) {
    shard.write(node_key(b), value_of(a));
    if (edge_keys) shard.write(edge_key(graph, a, b), value_of(a));
  }
  shard.write(node_key(a), value_of(a));
}

void read_operations(Builder::Shard& shard, const Graph& graph,
                     const Neighbours& neighbours, std::uint32_t a,
                     bool edge_keys) {
  if (edge_keys) {
    for (std::uint32_t b : neighbours[a]) {
      shard.read(edge_key(graph, b, a), value_of(b));
    }
  }
  for (std::uint32_t b : neighbours[a]) {
    shard.read(node_key(b), value_of(b));
  }
}

// session_of(node, is_reader) -> the session's label.
template <typename SessionOf>
History reduce(const Graph& graph, bool edge_keys, SessionOf session_of) {
  const Neighbours neighbours = neighbours_of(graph);
  Builder builder({.initial_value = Atom::integer(0)});
  Builder::Shard& shard = builder.add_shard();
  for (std::uint32_t a = 0; a < graph.nodes; ++a) {
    shard.select(Atom::integer(session_of(a, false)), std::int64_t{a} + 1);
    write_operations(shard, graph, neighbours, a, edge_keys);
  }
  for (std::uint32_t a = 0; a < graph.nodes; ++a) {
    if (neighbours[a].empty()) continue;
    shard.select(Atom::integer(session_of(a, true)),
                 std::int64_t{graph.nodes} + a + 1);
    read_operations(shard, graph, neighbours, a, edge_keys);
  }
  Result<History> history = builder.finish(1);
  AWDIT_ASSERT(history.has_value());
  return std::move(*history);
}

Graph graph_of(std::uint32_t nodes,
               const std::set<std::pair<std::uint32_t, std::uint32_t>>& edges) {
  return {nodes, {edges.begin(), edges.end()}};
}

}  // namespace

Graph random_graph(std::uint32_t nodes, double density, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::bernoulli_distribution joined(density);
  Graph graph{nodes, {}};
  for (std::uint32_t a = 0; a < nodes; ++a) {
    for (std::uint32_t b = a + 1; b < nodes; ++b) {
      if (joined(random)) graph.edges.emplace_back(a, b);
    }
  }
  return graph;
}

Graph random_bipartite(std::uint32_t nodes, std::uint32_t edges,
                       std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::set<std::pair<std::uint32_t, std::uint32_t>> chosen;
  for (std::uint32_t i = 0; i < edges; ++i) {
    const auto even = static_cast<std::uint32_t>(random() % nodes) & ~1u;
    const auto odd = static_cast<std::uint32_t>(random() % nodes) | 1u;
    if (odd < nodes) chosen.insert(std::minmax(even, odd));
  }
  return graph_of(nodes, chosen);
}

Graph complete_bipartite(std::uint32_t nodes) {
  Graph graph{nodes, {}};
  for (std::uint32_t a = 0; a < nodes; ++a) {
    for (std::uint32_t b = a + 1; b < nodes; b += 2) {
      graph.edges.emplace_back(a, b);
    }
  }
  return graph;
}

Graph with_triangle(Graph graph, std::uint64_t seed) {
  AWDIT_ASSERT(graph.nodes >= 3);
  std::mt19937_64 random(seed);
  std::set<std::uint32_t> corners;
  while (corners.size() < 3) {
    corners.insert(static_cast<std::uint32_t>(random() % graph.nodes));
  }
  const std::vector<std::uint32_t> c(corners.begin(), corners.end());
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges(graph.edges.begin(),
                                                          graph.edges.end());
  edges.insert({{c[0], c[1]}, {c[0], c[2]}, {c[1], c[2]}});
  return graph_of(graph.nodes, edges);
}

bool has_triangle(const Graph& graph) {
  const Neighbours neighbours = neighbours_of(graph);
  for (const auto& [a, b] : graph.edges) {
    for (std::uint32_t c : neighbours[a]) {
      for (std::uint32_t d : neighbours[b]) {
        if (c == d) return true;
      }
    }
  }
  return false;
}

History range_reduction(const Graph& graph) {
  return reduce(graph, true, [&](std::uint32_t a, bool reader) {
    return std::int64_t{a} * 2 + (reader ? 1 : 0);
  });
}

History two_session_reduction(const Graph& graph) {
  return reduce(graph, false,
                [](std::uint32_t, bool reader) { return reader ? 1 : 0; });
}

History one_session_reduction(const Graph& graph) {
  return reduce(graph, true, [](std::uint32_t, bool) { return 0; });
}

}  // namespace awdit::oracle
