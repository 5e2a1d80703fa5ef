// The lattice as questions; its data are the rows of levels.cpp.
#include "theory/lattice.h"

#include <algorithm>

#include "base/assert.h"
#include "base/table.h"

namespace awdit {

bool implies(const Level& strong, const Level& weak) {
  if (&strong == &weak) return true;
  for (const std::string_view name : strong.implies) {
    const Level* below = find_row(levels(), name);
    if (below != nullptr && implies(*below, weak)) return true;
  }
  return false;
}

const Level& weakest_with_repeatable_reads() {
  const auto rows = levels();
  const auto row =
      std::find_if(rows.begin(), rows.end(),
                   [](const Level& level) { return level.repeatable_reads; });
  AWDIT_ASSERT(row != rows.end());
  return *row;
}

bool demands_repeatable_reads(const Level& level) {
  return implies(level, weakest_with_repeatable_reads());
}

const Level& strongest_by_axiom() {
  const Level* strongest = nullptr;
  for (const Level& level : levels()) {
    if (level.cycles == Cycles::by_axiom) strongest = &level;
  }
  AWDIT_ASSERT(strongest != nullptr);
  return *strongest;
}

std::vector<const Level*> weakest_of(const std::vector<const Level*>& levels) {
  std::vector<const Level*> minimal;
  for (const Level* level : levels) {
    const bool undercut =
        std::any_of(levels.begin(), levels.end(), [&](const Level* other) {
          return other != level && implies(*level, *other);
        });
    if (!undercut) minimal.push_back(level);
  }
  return minimal;
}

std::vector<const Level*> strongest_of(
    const std::vector<const Level*>& levels) {
  std::vector<const Level*> maximal;
  for (const Level* level : levels) {
    const bool topped =
        std::any_of(levels.begin(), levels.end(), [&](const Level* other) {
          return other != level && implies(*other, *level);
        });
    if (!topped) maximal.push_back(level);
  }
  return maximal;
}

}  // namespace awdit
