#include "report/page_arrows.h"

#include <algorithm>

namespace awdit {
namespace {

bool is_conclusion(const Arrow& arrow) {
  return arrow.kind == Arrow::Kind::inferred ||
         arrow.kind == Arrow::Kind::missed;
}

// Of what contradicts a read the page draws only what it should have returned.
bool is_drawn(const Arrow& arrow, Kind kind) {
  return arrow.step != 0 &&
         (arrow.kind != Arrow::Kind::contrast ||
          kind == Kind::own_write_ignored || kind == Kind::stale_own_write ||
          kind == Kind::intermediate_read);
}

}  // namespace

PageArrows page_arrows(const History& history, const Story& story,
                       std::span<const TxnId> wanted) {
  const auto is_wanted = [&](TxnId txn) {
    return std::ranges::binary_search(wanted, txn);
  };
  PageArrows result;
  result.of_step.resize(story.proof.steps.size());
  for (Arrow arrow : told_arrows(history, story)) {
    if (!is_drawn(arrow, story.violation.kind) || !is_wanted(arrow.from) ||
        !is_wanted(arrow.to)) {
      continue;
    }
    std::vector<std::uint32_t>& mine = result.of_step[arrow.step - 1];
    if (!is_conclusion(arrow)) arrow.step = 0;
    // Few transactions are wanted, so few arrows there are.
    const auto found =
        std::ranges::find_if(result.arrows, [&](const Arrow& other) {
          return other.joins_same(arrow) &&
                 // What was proven is used again without an arrow of its own.
                 (other.step == arrow.step ||
                  arrow.kind == Arrow::Kind::inferred);
        });
    const auto index =
        static_cast<std::uint32_t>(found - result.arrows.begin());
    if (found == result.arrows.end()) result.arrows.push_back(arrow);
    if (std::ranges::find(mine, index) == mine.end()) {
      mine.push_back(index);
    }
  }
  return result;
}

}  // namespace awdit
