// A part of a history as a history. Part of tell/tell.h.
#pragma once

#include <span>
#include <vector>

#include "history/history.h"

namespace awdit {

// These operations alone as a history, with the names, outcomes, times and
// notes of their sessions and transactions, and their places in the input;
// operation i of it is ops[i]. `silent`: other transactions that are in it,
// too, without operations. REQUIRES: both ascending.
History extract(const History& history, std::span<const OpId> ops,
                std::span<const TxnId> silent = {});
// The same with the sessions of the input, even if their order does not count
// in `history`: to be written to a file.
History extract_sessions(const History& history, std::span<const OpId> ops,
                         std::span<const TxnId> silent = {});
// The transactions of such a part, in the order of its input_order().
std::vector<TxnId> extracted_txns(const History& history,
                                  std::span<const OpId> ops,
                                  std::span<const TxnId> silent = {});

}  // namespace awdit
