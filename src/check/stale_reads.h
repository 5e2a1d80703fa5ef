// Which reads are stale in the guessed order? Private to check/.
#pragma once

#include <cstdint>
#include <vector>

#include "check/index.h"

namespace awdit {

struct StaleReads {
  static constexpr std::size_t kFew = std::size_t{1} << 16;

  std::uint64_t count = 0;
  bool disordered = false;     // some read comes before its source
  std::vector<StaleRead> few;  // all of them, if they are at most kFew

  void add(StaleRead read, bool is_disordered);
  void add(const StaleReads& others);
};

// Marks the transactions and keys that have stale reads, in the index's present
// order; what was marked before is forgotten. REQUIRES: the index knows all
// sources.
StaleReads find_stale_reads(Index& index);

}  // namespace awdit
