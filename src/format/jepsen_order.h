// What the formats of Jepsen share when they are written: which lines there
// are, in which order, and with which numbers. Private to format/.
//
// The lines are such that reading them (jepsen_ops.h) gives the same history
// again. A history that Jepsen could have recorded gets the keys that Jepsen
// writes; where those cannot say it (ids that are no indices, ties, no ticks),
// two keys of our own do, which others skip.
#pragma once

#include <functional>

#include "format/jepsen_ops.h"
#include "history/history.h"

namespace awdit {

struct OpLine {
  TxnId txn;
  OpFrame::Type type;
  // The last line about its transaction: shows what reads returned.
  bool last = true;
  // Given::no: not to be written.
  OpFrame::Number index = {}, time = {}, id = {}, at = {};
};

// Calls `line` for each line, until it returns false.
void order_jepsen(const History& history,
                  const std::function<bool(const OpLine&)>& line);

}  // namespace awdit
