// The reads that the evidence of a violation rests on. Private to check/.
//
// Without them the violation is gone, and whatever else is violated then is
// violated by itself: leaving reads out only weakens what is demanded.
//   a finding        its read
//   causality_cycle  one of its reads: one against the guessed order
//   an axiom's cycle the reads of its inferred edges, and the lists that show
//                    its order of versions
//   dependencies     all reads of its edges and lemmas
// A read brings along the first one of the same transaction and key that
// returned the same, and all that come after that, so that what is left of a
// transaction's reads of a key begins with the first.
#pragma once

#include <cstdint>
#include <vector>

#include "check/check.h"
#include "check/index.h"

namespace awdit {

// Adds them, in no order, some twice; only reads that have a source. None: the
// violation rests on no read (sessions against times), or only on such as are
// set aside already.
void add_reads_of(const Index& index, const Violation& violation,
                  std::vector<OpId>& reads);

// Likewise one read, and what it brings along.
void add_read(const Index& index, OpId read, std::vector<OpId>& reads);

}  // namespace awdit
