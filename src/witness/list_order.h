// Whose element directly precedes whose in a list that was read. Private to
// src/witness.
//
// When a list is first asked about, its elements are given their writers, and
// the pairs of neighbours are sorted: many questions about one long list cost
// little more than reading it once.
// Cost: O(a log a) for the a appends of a key, O(m log a) for a list of m
// elements, then O(log m) for each question.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "history/history.h"
#include "witness/attribution.h"

namespace awdit {

class ListOrder {
 public:
  // Both must outlive it. REQUIRES: the history has lists.
  ListOrder(const History& history, const Attribution& attribution)
      : history_(history), attribution_(attribution) {}

  // Whether the list of `read` has an element of `older` directly before one of
  // `newer`. REQUIRES: the read has no finding.
  bool shows(OpId read, TxnId older, TxnId newer);

 private:
  struct Append {
    Atom element;
    std::uint32_t txn;
  };
  using Neighbours = std::pair<std::uint32_t, std::uint32_t>;  // writers
  const std::vector<Append>& appends(KeyId key);
  const std::vector<Neighbours>& neighbours(OpId read);

  const History& history_;
  const Attribution& attribution_;
  std::map<KeyId, std::vector<Append>> appends_;        // sorted by element
  std::map<OpId, std::vector<Neighbours>> neighbours_;  // sorted
};

}  // namespace awdit
