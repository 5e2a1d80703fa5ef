// Sorts the operations of one key by value and hands them out in runs of equal
// value: the writes of the value, and the reads that returned it. Private to
// src/witness.
//
// The values of lists are their elements: a run shows who appended an element
// and which lists have it, at which places; places of one list beside each
// other in a run are an element that it has twice. Lists are mostly beginnings
// of one another: those that are beginnings of the longest, the *spine*, are
// not sorted, because what is so of the spine up to their end is so of them.
// Cost: O(n log n) on a key; of lists O(sum of lengths + e log e), where e
// elements are in the spine and in lists that are no beginning of it; 32 bytes
// for each of those.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "history/history.h"

namespace awdit {

class ValueRuns {
 public:
  struct Run {
    Atom value;
    // Entries of the `ops` given to sort(), ascending.
    std::span<const std::uint32_t> writes;
    // Likewise; a list comes once for each place where it has the value.
    // Beginnings of the spine are left out.
    std::span<const std::uint32_t> reads;
    // [as reads] -> that place, from 0; 0 if it is no list
    std::span<const std::uint32_t> places;
  };

  explicit ValueRuns(const History& history) : history_(history) {}

  // Begins a new key. REQUIRES: `ops` are of one key.
  void sort(std::span<const std::uint32_t> ops);

  // The next run, valid until the next call of sort(); false: no more.
  bool next(Run& run);

  // The entry of the spine, and those of its other beginnings, longest first.
  // REQUIRES: some operation given to sort() is a read of a list.
  std::uint32_t spine() const { return spine_; }
  std::span<const std::uint32_t> beginnings() const { return beginnings_; }

  // Calls visit(entry) for every read that returned the run's value or a list
  // that has it, for some more than once.
  template <typename Visit>
  void for_each_read(const Run& run, Visit&& visit) const {
    for (std::size_t i = 0; i < run.reads.size(); ++i) {
      visit(run.reads[i]);
      if (run.reads[i] != spine_) continue;
      for (const std::uint32_t entry : beginnings_) {
        if (sizes_[entry] <= run.places[i]) break;
        visit(entry);
      }
    }
  }

 private:
  void find_spine(std::span<const std::uint32_t> ops);

  struct Entry {
    std::uint64_t bits;
    std::uint32_t index;
    std::uint32_t place;
    Atom::Kind kind;
    bool is_read;
  };
  const History& history_;
  std::uint32_t spine_ = kNoId;
  std::vector<std::uint32_t> beginnings_;
  std::vector<std::uint32_t> sizes_;  // [index] -> of a list
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> indices_;  // [sorted entry] -> index
  std::vector<std::uint32_t> places_;   // [sorted entry] -> place
  std::size_t at_ = 0;
};

// Where the lists of two reads differ first; kNoId if one of them is a
// beginning of the other.
std::uint32_t first_difference(const History& history, OpId a, OpId b);

}  // namespace awdit
