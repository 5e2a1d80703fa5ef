// Finds what made two transactions one. Private to format/.
//
// The builder takes what has one id in one session for one transaction, and
// formats that forbid it notice by the count. Which one it was is asked only
// then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "history/history.h"

namespace awdit {

struct NamedTxn {
  Atom session;
  std::int64_t id;
  auto key() const { return std::tuple(session.kind, session.bits, id); }
};

// The first, in the order of the input, that has the name of one before it;
// their number if there is none, because a file changed meanwhile.
inline std::size_t first_repeated(std::span<const NamedTxn> txns) {
  std::vector<std::size_t> order(txns.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) {
                     return txns[a].key() < txns[b].key();
                   });
  std::size_t first = txns.size();
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (txns[order[i - 1]].key() == txns[order[i]].key()) {
      first = std::min(first, order[i]);
    }
  }
  return first;
}

}  // namespace awdit
