// Which reads are stale in the guessed order? Private to check/.
#pragma once

#include <cstdint>

#include "check/index.h"

namespace awdit {

struct StaleReads {
  std::uint64_t count = 0;
  bool disordered = false;  // some read comes before its source
};

// Marks the transactions and keys that have stale reads, in the index's present
// order; what was marked before is forgotten. REQUIRES: the index knows all
// sources.
StaleReads find_stale_reads(Index& index);

}  // namespace awdit
