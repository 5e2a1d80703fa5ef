// What is known about the order of versions while evidence is judged. Private
// to src/witness.
//
// A fact says of two transactions that wrote a key whose version is the older
// one. Facts that rest on an assumption are taken back with it, last in first
// out. What follows from two facts is no fact: evidence says all it needs.
// Cost: O(log facts) for each fact. A tree and no hashing, because certificates
// may be hostile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "base/ids.h"

namespace awdit {

class VersionFacts {
 public:
  bool knows(KeyId key, TxnId older, TxnId newer) const {
    return facts_.contains({key.v, older.v, newer.v});
  }

  void add(KeyId key, TxnId older, TxnId newer) {
    const auto [at, fresh] = facts_.insert({key.v, older.v, newer.v});
    if (fresh) trail_.push_back(at);
  }

  // To return to what is known now.
  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark) {
    while (trail_.size() > mark) {
      facts_.erase(trail_.back());
      trail_.pop_back();
    }
  }

 private:
  using Fact = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  std::set<Fact> facts_;
  std::vector<std::set<Fact>::iterator> trail_;  // in the order of adding
};

}  // namespace awdit
