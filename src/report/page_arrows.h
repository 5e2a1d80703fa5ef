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
#include "tell/tell.h"
#include "theory/theory.h"

namespace awdit {

enum class PageArrowType : std::uint8_t {
  session,   // `to` follows `from` in its session, or `from` is init
  read,      // `to` read what `from` wrote
  time,      // `from` had ended before `to` began
  must,      // inferred: `from` must come before `to`
  missed,    // `from` read an older version than the one of `to`
  expected,  // what a read should have returned
};
std::string_view name(PageArrowType type);

struct PageArrow {
  PageArrowType type = PageArrowType::session;
  TxnId from, to;
  // Where it is attached; none: to the transaction as a whole.
  OpId from_op, to_op;
  KeyId key;  // if an end is init's: of this key
  // must, missed: the step of the proof, from 0, that states it.
  std::uint32_t step = kNoId;
};

struct PageArrows {
  std::vector<PageArrow> arrows;
  // [step of the proof] -> the arrows it rests on, in the order told; that of
  // its conclusion, if it is inferred, comes last.
  std::vector<std::vector<std::uint32_t>> of_step;
};

// PageArrows whose ends are both among `wanted` (ascending; may hold init).
PageArrows arrows_of(const History& history, const Story& story,
                     std::span<const TxnId> wanted);

}  // namespace awdit
