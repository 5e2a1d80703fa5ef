// Attributes every read to the write it returned, and judges Read Consistency.
// Private to check/. See source_finder.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "check/promotion.h"
#include "check/sources.h"
#include "history/history.h"

namespace awdit {

struct JoinedReads {
  // Reads of lists are set aside until ListFinder knows better. Findings and
  // reads are those of transactions that are not aborted and of committed ones.
  Sources sources;
  // Both committed: the pair whose second write stands first in the input.
  std::optional<EqualWrites> duplicate;
  // The same, where at least one writer's outcome is unknown.
  std::vector<EqualWrites> suspects;
  // (reader, writer): the reader, not aborted, read from the unknown writer.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reads_of_unknown;
};

JoinedReads join_reads(const History& history, unsigned threads);

}  // namespace awdit
