// What a list that was read says beyond its last element. Private to check/.
// See lists.cpp.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "check/by_key.h"
#include "check/index.h"

namespace awdit {

class ListFinder {
 public:
  // REQUIRES: index.history().has_lists().
  explicit ListFinder(Index& index)
      : index_(index),
        layout_(make_key_layout(index.history(), {}, index.threads())) {}

  // Finds out who appended each element that a transaction read, unless it was
  // aborted. Adds (reader, writer) where the writer's outcome is unknown.
  void read_elements(
      std::vector<std::pair<std::uint32_t, std::uint32_t>>& reads_of_unknown);

  // Completes the findings about last elements (by ascending read, of live
  // transactions) and sets aside the reads that have one now.
  // REQUIRES: read_elements() was called, statuses are settled.
  void judge(std::vector<Violation>& findings);

 private:
  struct Tuple;
  struct Worker;
  void read_key(Worker& worker, std::span<const Tuple> tuples) const;
  std::vector<Violation> incompatible_reads() const;

  Index& index_;
  KeyLayout layout_;
  // Of transactions that are not aborted, in no order.
  std::vector<Violation> unfounded_;  // thin_air_read, aborted_read
  std::vector<Violation> repeating_;  // duplicate_element
};

}  // namespace awdit
