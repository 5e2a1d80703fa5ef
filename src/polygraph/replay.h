// What is wrong with a total order of points, if every pair of writers of a key
// is taken to be ordered by it. Private to polygraph/.
//
// The points are walked in order, as a database would have executed them: a
// snapshot must find the versions that its transaction read to be the latest
// ones, and (under `snapshot`) nobody may have committed to a key between the
// snapshot and the commit of one of its writers. Under `parallel` there are no
// moments; there the clocks of all dependencies tell whether a reader depends
// on a later version than it read.
// Cost: O(operations), under `parallel` times chains; within the budget of the
// saturation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polygraph/saturate.h"

namespace awdit {

// Of two versions of a key, in the order in which the replay has them.
struct VersionPair {
  std::uint32_t older;
  std::uint32_t newer;
};

// Under `parallel`: pairs that must not all be as they are, and what else the
// cycle consists of: single dependencies that are known or inferred, and ends
// of paths of them.
struct Clash {
  struct Hop {
    std::uint32_t from, to;  // points
  };
  std::vector<VersionPair> pairs;
  std::vector<Hop> arcs;
  std::vector<Hop> paths;
};

struct Stumbles {
  std::vector<VersionPair> pairs;  // that have to be decided
  std::vector<Clash> clashes;
  bool none() const { return pairs.empty() && clashes.empty(); }
};

Stumbles replay(const Saturation& saturation,
                std::span<const std::uint32_t> order);

}  // namespace awdit
