// What a list that was read shows of the order of its writers. Private to
// src/witness.
//
// Whose element directly precedes whose; and who appended only later, because a
// read returns the whole list, to which a reader adds its own at the end. When
// a list is first asked about, its elements are given their writers, and what
// it shows is sorted: many questions about one long list cost little more than
// reading it once.
// Cost: O(a log a) for the a appends of a key, O(m log a) for a list of m
// elements, then O(log m) for each question.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
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

  // Whether the list of `read` has an element of `older`, and either directly
  // before one of `newer`, or, before the reader's own elements, lacks the last
  // one that `newer` appended to the key. REQUIRES: the read has no finding,
  // and both appended to the key.
  bool shows(OpId read, TxnId older, TxnId newer);

  // One sentence that tells how a commit order contradicts what some list
  // shows, or "". `place`: of each transaction that counts, as in Replay. O(n
  // log n). REQUIRES: no read has a finding.
  std::string objection(std::span<const std::uint32_t> place);

 private:
  struct Append {
    Atom element;
    std::uint32_t txn;
    bool last;  // of the transaction to the key
  };
  using Neighbours = std::pair<std::uint32_t, std::uint32_t>;  // writers
  struct List {
    std::vector<std::uint32_t> writers;       // [element]
    std::vector<Neighbours> neighbours;       // sorted
    std::vector<std::uint32_t> seen;          // writers, sorted
    std::vector<std::uint32_t> seen_in_full;  // whose last append is seen
  };
  const std::vector<Append>& appends(KeyId key);
  const List& list(OpId read);
  std::string objection(KeyId key, OpId read,
                        std::span<const std::uint32_t> place);

  const History& history_;
  const Attribution& attribution_;
  std::map<KeyId, std::vector<Append>> appends_;  // sorted by element
  std::map<OpId, List> lists_;
};

}  // namespace awdit
