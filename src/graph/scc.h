// Strongly connected components.
//
// Tarjan's algorithm with an explicit stack: inputs are chains of 10^7 nodes,
// and nothing here may recurse over them. O(nodes + arcs).
// Source: R. Tarjan, Depth-first search and linear graph algorithms, 1972.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/csr.h"

namespace awdit {

struct Components {
  // [node] -> component. Numbered in reverse topological order: an arc never
  // leads to a component of a higher number.
  std::vector<std::uint32_t> of;
  // [component] -> number of nodes
  std::vector<std::uint32_t> size;

  bool acyclic() const { return size.size() == of.size(); }
};

// Arcs from a node to itself do not make a component cyclic; the caller's
// graphs have none.
Components strong_components(const Csr& graph);

}  // namespace awdit
