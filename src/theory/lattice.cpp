// The lattice as questions; its data are the rows of levels.cpp.
#include "theory/lattice.h"

#include <algorithm>
#include <cstdint>

#include "base/assert.h"
#include "base/table.h"

namespace awdit {
namespace {

// REQUIRES: it is one of them, not a copy.
std::size_t row_of(const Level& level) {
  const auto row = static_cast<std::size_t>(&level - levels().data());
  AWDIT_ASSERT(row < levels().size());
  return row;
}

// [row] -> the rows it implies, itself among them, as bits.
std::vector<std::uint64_t> close_lattice() {
  const auto rows = levels();
  AWDIT_ASSERT(rows.size() <= 64);
  std::vector<std::uint64_t> below(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    below[i] = std::uint64_t{1} << i;
    for (const std::string_view name : rows[i].implies) {
      const Level* const weaker = find_row(rows, name);
      AWDIT_ASSERT(weaker != nullptr && row_of(*weaker) < i);
      below[i] |= below[row_of(*weaker)];
    }
  }
  return below;
}

}  // namespace

bool implies(const Level& strong, const Level& weak) {
  static const std::vector<std::uint64_t> below = close_lattice();
  return (below[row_of(strong)] >> row_of(weak) & 1) != 0;
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
