// Attributes every read to the write it returned, and judges Read Consistency.
// Private to check/. See source_finder.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "check/index.h"

namespace awdit {

class SourceFinder {
 public:
  // Fills index.source_; reads of lists are set aside until ListFinder knows
  // better.
  explicit SourceFinder(Index& index);
  void run();

  // Findings of committed and unknown transactions, by ascending read.
  std::vector<Violation> findings;

  // Writes of one value to one key, both committed: the pair whose second
  // write stands first in the input.
  struct Pair {
    std::uint32_t first;
    std::uint32_t second;
  };
  std::optional<Pair> duplicate;
  // The same, where at least one writer's outcome is unknown.
  std::vector<Pair> suspects;
  // (reader, writer): the reader, not aborted, read from the unknown writer.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reads_of_unknown;

 private:
  struct Tuple;
  struct Worker;
  void join_key(Worker& worker, std::span<Tuple> tuples);
  void enter_writes(Worker& worker, std::span<Tuple> tuples);
  std::uint32_t judge(Worker& worker, std::span<const Tuple> tuples,
                      std::uint32_t read, std::uint32_t own_write);

  Index& index_;
  bool lists_;
};

}  // namespace awdit
