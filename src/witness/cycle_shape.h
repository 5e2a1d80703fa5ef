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

#include "theory/theory.h"

namespace awdit {

// Why the level allows a cycle of these edges, as the end of a sentence; "": it
// forbids it. REQUIRES: there is an edge; the level has Cycles.
std::string why_allowed(const Level& level, std::span<const Edge> edges);

// What a violation is called, from all its cycles: that at the end, and those
// by which its lemmas are proven. The weakest level that they refute together
// decides; the last cycle tells the rest.
class CycleNamer {
 public:
  // REQUIRES: there is an edge.
  void add(std::span<const Edge> edges);
  Kind kind() const;  // the last one added is that at the end

 private:
  bool timed_ = false;     // some edge is of real time
  bool adjacent_ = false;  // somewhere two anti-dependencies are neighbours
  bool several_ = false;   // somewhere there are several
  Kind last_ = Kind::dependency_cycle;
};

}  // namespace awdit
