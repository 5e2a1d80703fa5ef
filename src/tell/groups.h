// Which violations are told together. Private to src/tell.
//
// Those of one level and kind that are about the same keys and the same
// sessions are one *group*; the one with the least evidence speaks for it.
// Groups come worst first: by the weakest level they break, then by kind, then
// by how many they are. Cost: O(evidence of all findings).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "history/history.h"
#include "tell/digest.h"
#include "theory/theory.h"

namespace awdit {

struct Group {
  const Violation* speaker;
  std::size_t level;    // of the report: the weakest that it breaks
  std::uint64_t count;  // of violations
};

// `digests`: of a report about the history.
std::vector<Group> groups_of(const History& history,
                             std::span<const LevelDigest> digests);

// The sessions that a violation is about, each once, ascending.
std::vector<SessionId> sessions_of(const History& history,
                                   const Violation& violation);

}  // namespace awdit
