// The elements of lists, brought together with their appends. Private to
// src/witness.
//
// By sorting: the elements of a key's lists are brought together with the
// appends of equal elements, so that a run shows who appended an element and
// which lists have it, at which places; places of one list beside each other in
// a run are an element that it has twice. Lists are mostly beginnings of one
// another: those that are beginnings of the longest, the *spine*, are not
// sorted, because what is so of the spine up to their end is so of them.
// Cost: O(sum of lengths + e log e) time on a key, where e elements are in the
// spine and in lists that are no beginning of it; 32 bytes for each of those.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "history/history.h"

namespace awdit {

class ElementRuns {
 public:
  struct Run {
    Atom value;
    // Entries of the `ops` given to sort(), ascending.
    std::span<const std::uint32_t> writes;
    // Likewise; a read comes once for each place where its list has the value.
    // Beginnings of the spine are left out.
    std::span<const std::uint32_t> reads;
    // [as reads] -> that place, from 0
    std::span<const std::uint32_t> places;
  };

  explicit ElementRuns(const History& history) : history_(history) {}

  // Begins a new key. REQUIRES: `ops` are of one key.
  void sort(std::span<const std::uint32_t> ops);

  // The next run, valid until the next call of sort(); false: no more.
  bool next(Run& run);

  // The entry of the spine, and those of its other beginnings, longest first.
  // REQUIRES: some operation given to sort() is a read.
  std::uint32_t spine() const { return spine_; }
  std::span<const std::uint32_t> beginnings() const { return beginnings_; }

  // Calls visit(entry) for every read whose list has the run's value, for some
  // more than once.
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
