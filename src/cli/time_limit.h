// What the search for a level may take: --time-limit and --memory-limit. Beyond
// either the level is undecided.
#pragma once

#include "cli/grammar.h"
#include "library/library.h"

namespace awdit::cli {

// Sets the limits of `options` to the usual ones; what is typed replaces them.
void add_limits(Grammar& grammar, Options& options);

}  // namespace awdit::cli
