// Who appended what a list shows, and what is wrong with it by itself. Private
// to check/. See lists.cpp.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "check/by_key.h"
#include "check/promotion.h"
#include "check/sources.h"

namespace awdit {

class ListFinder {
 public:
  // Fills `sources` of reads; both must outlive it. REQUIRES:
  // history.has_lists().
  ListFinder(const History& history, unsigned threads,
             Array<std::uint32_t>& sources)
      : history_(history),
        threads_(threads),
        sources_(sources),
        differing_(history.num_keys(), 0) {}

  // Attributes each read to the maker of the version that it saw, unless its
  // transaction was aborted. Adds (reader, writer) where the writer's outcome
  // is unknown.
  void read_lists(
      std::vector<std::pair<std::uint32_t, std::uint32_t>>& reads_of_unknown);

  // The findings of live transactions, by ascending read; sets their reads
  // aside. REQUIRES: read_lists() was called.
  std::vector<Violation> judge(const Live& live);

 private:
  struct Tuple;
  struct Worker;
  void read_key(Worker& worker, std::span<const Tuple> tuples);
  std::vector<Violation> incompatible_reads(const Live& live) const;

  const History& history_;
  const unsigned threads_;
  Array<std::uint32_t>& sources_;
  // [key] -> 1 if some list may be no beginning of the longest.
  std::vector<std::uint8_t> differing_;
  // Of transactions that are not aborted, in no order; one per read at most.
  std::vector<Violation> found_;
};

}  // namespace awdit
