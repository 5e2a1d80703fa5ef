// Graphs as histories (section 4 of the paper): whether the level holds says
// whether the graph is free of triangles, which nobody knows how to decide
// faster than by O(m^1.5) steps for m edges.
//
// For each node a: a transaction that writes x_a and x_b for each neighbour b,
// and one that reads x_b from each neighbour's write transaction. If a, b and c
// form a triangle, c's reader sees both a's and b's write transaction, each of
// which wrote the key that the reader took from the other: a contradiction.
// Without a triangle nothing is ever ordered. Read Committed looks at reads in
// program order, so there the reader first touches every neighbour through a
// key x_b^a of its own.
//
// The graph: random edges between the first and the second half of the nodes,
// so that there is no triangle; one more edge inside the first half makes some.
// Cost: linear in the history; sparse graphs take a sort of their edges.
#include "generate/reductions.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/array.h"
#include "base/random.h"

namespace awdit {
namespace {

constexpr std::array<std::string_view, 1> kRcAliases = {"one-session"};
constexpr std::array<std::string_view, 1> kRaAliases = {"two-session"};

constexpr std::array<Reduction, 3> kReductions = {{
    {.name = "range",
     .summary = "every level from read-committed to causal; many sessions",
     .edge_keys = true,
     .sessions = 0},
    {.name = "ra",
     .aliases = kRaAliases,
     .summary = "read-atomic, with two sessions",
     .edge_keys = false,
     .sessions = 2},
    {.name = "rc",
     .aliases = kRcAliases,
     .summary = "read-committed, with one session",
     .edge_keys = true,
     .sessions = 1},
}};

// `wanted` of the numbers below `all`, ascending.
std::vector<std::uint64_t> sample(std::uint64_t all, std::uint64_t wanted,
                                  Random& random) {
  std::vector<std::uint64_t> chosen;
  chosen.reserve(wanted);
  if (all / 4 <= wanted) {
    // One after the other, each as likely as what is still wanted demands.
    for (std::uint64_t number = 0; chosen.size() < wanted; ++number) {
      const std::uint64_t left = all - number;
      if (random.below_wide(left) < wanted - chosen.size()) {
        chosen.push_back(number);
      }
    }
    return chosen;
  }
  // At random, again and again until there are enough different ones.
  while (chosen.size() < wanted) {
    for (std::uint64_t i = wanted - chosen.size(); i != 0; --i) {
      chosen.push_back(random.below_wide(all));
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  }
  return chosen;
}

// [first[a], first[a + 1]) are the neighbours of a, ascending.
struct Neighbours {
  std::vector<std::uint64_t> first;
  std::vector<std::uint32_t> of;
};

Neighbours random_graph(const Graph& graph, Random& random) {
  struct Edge {
    std::uint32_t a, b;
  };
  const std::uint32_t half = (graph.nodes + 1) / 2;
  const std::uint32_t other = graph.nodes - half;
  std::vector<Edge> edges;
  for (const std::uint64_t number :
       sample(most_edges(graph.nodes), edges_of(graph), random)) {
    edges.push_back({static_cast<std::uint32_t>(number / other),
                     half + static_cast<std::uint32_t>(number % other)});
  }
  if (graph.triangle) {
    // Two of the first half and one of the second.
    const std::uint32_t a = random.below(half);
    std::uint32_t b = random.below(half - 1);
    if (b >= a) ++b;
    const std::uint32_t c = half + random.below(other);
    edges.push_back({std::min(a, b), std::max(a, b)});
    for (const std::uint32_t corner : {a, b}) {
      const bool there = std::any_of(
          edges.begin(), edges.end(),
          [&](const Edge& edge) { return edge.a == corner && edge.b == c; });
      if (!there) edges.push_back({corner, c});
    }
  }
  Neighbours result;
  result.first.assign(std::size_t{graph.nodes} + 1, 0);
  for (const Edge& edge : edges) {
    ++result.first[edge.a + 1];
    ++result.first[edge.b + 1];
  }
  for (std::uint32_t a = 0; a < graph.nodes; ++a) {
    result.first[a + 1] += result.first[a];
  }
  result.of.resize(edges.size() * 2);
  std::vector<std::uint64_t> cursor(result.first.begin(),
                                    result.first.end() - 1);
  for (const Edge& edge : edges) {
    result.of[cursor[edge.a]++] = edge.b;
    result.of[cursor[edge.b]++] = edge.a;
  }
  for (std::uint32_t a = 0; a < graph.nodes; ++a) {
    const auto begin = result.of.begin();
    std::sort(begin + static_cast<std::ptrdiff_t>(result.first[a]),
              begin + static_cast<std::ptrdiff_t>(result.first[a + 1]));
  }
  return result;
}

class Reducer {
 public:
  Reducer(const Parameters& parameters, Builder& builder)
      : reduction_(*parameters.reduction),
        nodes_(parameters.graph.nodes),
        shard_(builder.add_shard()) {
    Random random(parameters.seed);
    graph_ = random_graph(parameters.graph, random);
    // A triangle adds up to three edges.
    shard_.reserve(operations_of(reduction_, parameters.graph) + 32);
  }

  void run() {
    for (std::uint32_t a = 0; a < nodes_; ++a) write_transaction(a);
    // Readers come in the order of nodes, so a's place among the neighbours of
    // b is the number of b's neighbours that came before.
    std::vector<std::uint64_t> place(graph_.first.begin(),
                                     graph_.first.end() - 1);
    for (std::uint32_t a = 0; a < nodes_; ++a) read_transaction(a, place);
  }

 private:
  void select(std::uint32_t a, bool reader) {
    const std::uint32_t number = a + (reader ? nodes_ : 0);
    std::uint32_t session = number;
    if (reduction_.sessions != 0)
      session = reader ? reduction_.sessions - 1 : 0;
    shard_.select(Atom::integer(std::int64_t{session} + 1),
                  std::int64_t{number} + 1);
  }
  static Atom node_key(std::uint32_t a) {
    return Atom::integer(std::int64_t{a} + 1);
  }
  // x_a^b, where b is at this place among all neighbours.
  Atom edge_key(std::uint64_t place) const {
    return Atom::integer(static_cast<std::int64_t>(nodes_ + 1 + place));
  }
  static Atom value_of(std::uint32_t a) {
    return Atom::integer(std::int64_t{a} + 1);
  }

  void write_transaction(std::uint32_t a) {
    select(a, false);
    for (std::uint64_t i = graph_.first[a]; i < graph_.first[a + 1]; ++i) {
      shard_.write(node_key(graph_.of[i]), value_of(a));
      if (reduction_.edge_keys) shard_.write(edge_key(i), value_of(a));
    }
    shard_.write(node_key(a), value_of(a));
  }

  void read_transaction(std::uint32_t a, std::vector<std::uint64_t>& place) {
    if (graph_.first[a] == graph_.first[a + 1]) return;
    select(a, true);
    for (std::uint64_t i = graph_.first[a];
         reduction_.edge_keys && i < graph_.first[a + 1]; ++i) {
      const std::uint32_t b = graph_.of[i];
      shard_.read(edge_key(place[b]++), value_of(b));
    }
    for (std::uint64_t i = graph_.first[a]; i < graph_.first[a + 1]; ++i) {
      shard_.read(node_key(graph_.of[i]), value_of(graph_.of[i]));
    }
  }

  const Reduction& reduction_;
  std::uint32_t nodes_;
  Builder::Shard& shard_;
  Neighbours graph_;
};

}  // namespace

std::span<const Reduction> reductions() { return kReductions; }

std::uint64_t most_edges(std::uint32_t nodes) {
  const std::uint64_t half = (std::uint64_t{nodes} + 1) / 2;
  return half * (nodes - half);
}

std::uint64_t edges_of(const Graph& graph) {
  return graph.edges.value_or(most_edges(graph.nodes) / 2);
}

std::uint64_t operations_of(const Reduction& reduction, const Graph& graph) {
  return graph.nodes + edges_of(graph) * (reduction.edge_keys ? 8 : 4);
}

void reduce(const Parameters& parameters, Builder& builder) {
  Reducer(parameters, builder).run();
}

}  // namespace awdit
