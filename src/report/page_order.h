// From left to right: the order in which a page shows transactions. Private to
// src/report.
//
// By the time at which they began, if the history knows it of all of them; else
// such that what was read stands right of what wrote it, as far as there is no
// circle. Within a session it is always session order. Ties: order of the
// input. Cost: O(n^2) for the n (few) transactions shown.
#pragma once

#include <span>
#include <vector>

#include "history/history.h"
#include "report/arrows.h"

namespace awdit {

struct PageOrder {
  std::vector<TxnId> txns;  // left to right; init, if any, is first
  bool by_time = false;
};

PageOrder page_order(const History& history, std::span<const TxnId> shown,
                     std::span<const Arrow> arrows);

}  // namespace awdit
