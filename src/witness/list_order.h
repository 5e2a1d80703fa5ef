// What a list that was read shows of the order of its writers. Private to
// src/witness.
//
// Versions only grow at their end, and a list without a finding is one of them,
// with the reader's own elements at the end where it has appended before: so
// whose element comes behind whose appended later, and whoever appends to the
// key and is not in the list appended later than everybody in it, the reader
// included where its own elements are there. When a list is first asked about,
// its elements are given their writers, and the places of these are sorted:
// many questions about one long list cost little more than reading it once.
// Cost: O(a log a) for the a appends of a key, O(m log a) for a list of m
// elements, then O(log m) for each question.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "history/history.h"
#include "witness/attribution.h"

namespace awdit {

class ListOrder {
 public:
  // Both must outlive it. REQUIRES: the history has lists.
  ListOrder(const History& history, const Attribution& attribution)
      : history_(history), attribution_(attribution) {}

  // Whether the list of `read` has an element of `older`, and either one of
  // `newer` behind it, or none of `newer` at all. REQUIRES: the read has no
  // finding, and both are different and appended to the key.
  bool shows(OpId read, TxnId older, TxnId newer);

 private:
  struct Append {
    Atom element;
    std::uint32_t txn;
  };
  // Where a writer's elements begin and end in a list.
  struct Stretch {
    std::uint32_t txn;
    std::uint32_t first;
    std::uint32_t last;
  };
  using List = std::vector<Stretch>;  // by transaction

  const std::vector<Append>& appends(KeyId key);
  const List& list(OpId read);
  static const Stretch* find(const List& list, TxnId txn);

  const History& history_;
  const Attribution& attribution_;
  std::map<KeyId, std::vector<Append>> appends_;  // sorted by element
  std::map<OpId, List> lists_;
};

}  // namespace awdit
