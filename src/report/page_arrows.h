// What the page draws between operations, and which step of the proof rests on
// it. Private to src/report.
//
// Every arrow belongs to a step of the proof (the steps cover the whole cycle)
// and is drawn once, however many steps use it. Cost: that of the evidence, for
// evidence of any length; only arrows between wanted transactions are kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "history/history.h"
#include "report/arrows.h"
#include "tell/tell.h"

namespace awdit {

struct PageArrows {
  std::vector<Arrow> arrows;  // with a step: that one states it
  // [step of the proof, from 0] -> the arrows it rests on, in the order told;
  // that of its conclusion, if it is inferred, comes last.
  std::vector<std::vector<std::uint32_t>> of_step;
};

// Arrows whose ends are both among `wanted` (ascending; may hold init).
PageArrows page_arrows(const History& history, const Story& story,
                       std::span<const TxnId> wanted);

}  // namespace awdit
