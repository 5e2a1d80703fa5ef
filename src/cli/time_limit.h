// What the search for a level may take: --time-limit and --memory-limit. Beyond
// either the level is undecided.
#pragma once

#include "check/check.h"
#include "cli/grammar.h"

namespace awdit::cli {

// Seconds, unless told otherwise.
inline constexpr unsigned kUsualTimeLimit = 60;

// Sets the limits of `options` to the usual ones; what is typed replaces them.
void add_limits(Grammar& grammar, Options& options);

}  // namespace awdit::cli
