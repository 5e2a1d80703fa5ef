// Two complete searches for the levels above causal, for histories of up to a
// few hundred transactions, which brute force cannot decide. They have nothing
// in common with each other, nor with src/polygraph, but the facts they start
// from.
//
//   frontier_search   plays the history event by event, each session from its
//                     first transaction to its last, and remembers from which
//                     states there is no way on. Polynomial for a fixed number
//                     of sessions (Biswas and Enea, OOPSLA 2019). Not for
//                     parallel, which has no order of events.
//   closure_search    orders the versions pair by pair, keeps what that implies
//                     transitively closed, and takes back what was wrong.
//
// Both may give up: then there is no answer.
#pragma once

#include <cstdint>
#include <optional>

#include "oracle/oracle.h"

namespace awdit::oracle {

// Looks at `states` states at most. REQUIRES: oracle.strong(), not parallel.
std::optional<bool> frontier_search(const Facts& facts, const Oracle& oracle,
                                    std::uint64_t states);

// The same for lists: called by frontier_search.
std::optional<bool> list_frontier_search(const Facts& facts,
                                         const Oracle& oracle,
                                         std::uint64_t states);

// Guesses `guesses` times at most. REQUIRES: oracle.strong().
std::optional<bool> closure_search(const Facts& facts, const Oracle& oracle,
                                   std::uint64_t guesses);

}  // namespace awdit::oracle
