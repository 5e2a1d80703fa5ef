// What dbcop's files say about themselves in front of the data. Private to
// format/.
//
// They are the sizes that a generator was asked for; readers ignore them. We
// write the real ones, and times that never change, so that equal histories
// give equal files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "history/history.h"

namespace awdit {

struct DbcopParameters {
  static constexpr std::string_view kInfo = "awdit";
  static constexpr std::string_view kTime = "1970-01-01T00:00:00+00:00";

  std::uint32_t id = 0;
  std::uint32_t n_node;             // sessions
  std::uint32_t n_variable;         // keys
  std::uint32_t n_transaction = 0;  // of the longest session
  std::uint32_t n_event = 0;        // of the longest transaction

  explicit DbcopParameters(const History& history)
      : n_node(history.num_sessions()), n_variable(history.num_keys()) {
    for (const SessionId session : history.sessions()) {
      n_transaction = std::max(n_transaction, history.txns(session).size());
    }
    for (const TxnId txn : history.txns()) {
      n_event = std::max(n_event, history.ops(txn).size());
    }
  }
};

}  // namespace awdit
