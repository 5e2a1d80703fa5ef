// What a story is put together from, each in the file of its name. Private to
// src/tell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tell/shrink.h"
#include "tell/stories.h"

namespace awdit {

// groups.cpp: violations that are told together.
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

// story_txns.cpp: the transactions of a story in the order in which a reader
// meets them. Of a part that stands alone all operations; otherwise small
// transactions whole, and of large ones what the evidence names and a few more
// operations on the same keys.
std::vector<StoryTxn> story_txns(const History& history,
                                 const Shrunk& smallest);

// broken_levels.cpp: fills in story.breaks and story.keeps: of the levels that
// apply to the history, in the order of the table; one is in neither list if
// nothing is known. `report`: the one that has the violation, at story.level.
// `seconds`: that deciding the story's part may take for each level; a level
// that takes longer is in neither list, unless it is known from others.
void find_broken_levels(const History& history, const Report& report,
                        double seconds, Story& story);

}  // namespace awdit
