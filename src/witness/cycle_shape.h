// Cycles of dependencies, seen from afar: which ones a level forbids, and how
// they are called. Private to src/witness.
//
// Only the reasons of the edges matter, and which of them are neighbours; the
// last edge is a neighbour of the first. Whether the edges are there at all is
// asked elsewhere (judge_dependencies.h). Source: Cerone and Gotsman, JACM
// 2018; names after Adya and Elle.
#pragma once

#include <span>
#include <string>

#include "check/check.h"

namespace awdit {

// Why the level allows a cycle of these edges, as the end of a sentence; "": it
// forbids it. REQUIRES: there is an edge; the level has Cycles.
std::string why_allowed(const Level& level, std::span<const Edge> edges);

// REQUIRES: there is an edge.
Kind kind_of_cycle(std::span<const Edge> edges);

}  // namespace awdit
