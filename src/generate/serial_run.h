// A serial run of interleaved sessions. Private to generate/.
#pragma once

#include "generate/generate.h"
#include "history/builder.h"

namespace awdit {

// The run's operations, without what is planted; with sizes left to chance, the
// most it can have.
std::uint64_t most_operations(const Parameters& parameters);

// REQUIRES: !invalid(parameters), no reduction.
void run_serially(const Parameters& parameters, Builder& builder);

}  // namespace awdit
