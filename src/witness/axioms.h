// The levels' axioms, read against a claimed commit order. Private to
// src/witness. Each returns one sentence that names a breach, or "".
//
// An axiom is: if t3 reads x from t1, and t3 saw t2, and t2 writes x too, then
// t2 is committed before t1. They differ in what "saw" means; see Premise in
// theory/levels.h. Above Causal they are told in other words, see each file.
// REQUIRES: the replay has no objection.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "history/history.h"
#include "witness/attribution.h"
#include "witness/replay.h"
#include "witness/visibility.h"

namespace awdit {

// REQUIRES: a premise of direct sight.
std::string breach_of_direct(const History& history,
                             const Attribution& attribution, Premise premise,
                             const Replay& replay);
// Of the session guarantees: session, read_session, session_read, read_read.
std::string breach_of_guarantee(const History& history,
                                const Attribution& attribution, Premise premise,
                                const Replay& replay);
std::string breach_of_causal(const History& history,
                             const Attribution& attribution,
                             const Replay& replay,
                             const VisibilityLimits& limits = {});

// Prefix and the levels of snapshot isolation: [place - 1] -> how many of the
// first transactions of the order the snapshot contains.
std::string breach_of_snapshots(const History& history,
                                const Attribution& attribution,
                                const Level& level, const Replay& replay,
                                std::span<const std::uint32_t> snapshots);
std::string breach_of_parallel(const History& history,
                               const Attribution& attribution,
                               const Replay& replay,
                               const VisibilityLimits& limits = {});
// Serializable and strict-serializable.
std::string breach_of_serial(const History& history,
                             const Attribution& attribution, const Level& level,
                             const Replay& replay);

// The sentence: `read` returned t1's write although the reader saw t2, which
// the order puts after t1.
std::string describe_breach(const History& history,
                            const Attribution& attribution, OpId read,
                            TxnId t2);

}  // namespace awdit
