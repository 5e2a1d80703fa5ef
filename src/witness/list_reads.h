// Lists that were read, element by element. Private to src/witness.
//
// Again by sorting: the elements of a key's lists are brought together with the
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
#include "witness/attribution.h"

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

// The findings about whole lists. REQUIRES: history.has_lists(); `result` knows
// which transactions count.
class ListJudge {
 public:
  ListJudge(const History& history, Attribution& result)
      : history_(history), result_(result), runs_(history) {}

  // Completes what was found about the last elements of the lists of one key:
  // result.findings from `first` on. Reads that have a finding lose their
  // source.
  void judge(std::span<const std::uint32_t> ops, std::size_t first);

 private:
  void find_elements(std::span<const std::uint32_t> ops);
  void find_incompatible();

  const History& history_;
  Attribution& result_;
  ElementRuns runs_;
  // Of each entry of the key: the first place of an element that nobody
  // appended, that only aborted transactions did, that is there before.
  struct Places {
    std::uint32_t thin_air = kNoId;
    std::uint32_t aborted = kNoId;
    std::uint32_t repeated = kNoId;
    OpId aborted_append;
  };
  std::vector<Places> places_;
  std::vector<OpId> sound_;  // reads that have no finding yet
};

}  // namespace awdit
