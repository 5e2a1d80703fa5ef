// Sorts the operations of one key by value and hands them out in runs of equal
// value: the writes of the value, and the reads that returned it. Private to
// src/witness.
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
    std::span<const std::uint32_t> reads;
  };

  explicit ValueRuns(const History& history) : history_(history) {}

  // Begins a new key. REQUIRES: `ops` are of one key.
  void sort(std::span<const std::uint32_t> ops);

  // The next run, valid until the next call of sort(); false: no more.
  bool next(Run& run);

  // Calls visit(entry) for every read of the run.
  template <typename Visit>
  void for_each_read(const Run& run, Visit&& visit) const {
    for (const std::uint32_t entry : run.reads) visit(entry);
  }

 private:
  struct Entry {
    std::uint64_t bits;
    Atom::Kind kind;
    bool is_read;
    std::uint32_t index;
  };

  const History& history_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> indices_;  // [sorted entry] -> index
  std::size_t at_ = 0;
};

}  // namespace awdit
