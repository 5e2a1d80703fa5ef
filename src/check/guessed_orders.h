// Answers for levels above causal that need no search: the guessed order with
// snapshots, and a serial order near it. Private to check/.
//
// What a database with snapshots recorded is, in the order of its commits, an
// execution of such a database: each transaction with stale reads has a moment
// at which it may have looked (check/looks.h). If these moments are such as a
// level demands of snapshots, the order and they are the evidence. And what a
// serializable one recorded becomes serial when each of these transactions is
// put where it looked. Neither asks for a graph; where it fails, nothing is
// said, and dependencies.cpp decides.
// Cost: a few passes over all operations.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/index.h"

namespace awdit {

// For a level of snapshots, or PSI: [i] -> how many of the first transactions
// of the guessed order, without init, the snapshot of number i contains.
// REQUIRES: what is not left out is causal; the order keeps real time, if the
// level does.
std::optional<std::vector<std::uint32_t>> guess_snapshots(Index& index,
                                                          const Level& level);

// The transactions, without init, in an order close to a serial one; the levels
// of dependencies have less to do there.
struct NearSerial {
  std::vector<std::uint32_t> order;
  bool real_time;  // whether it was to be kept
  bool is_serial;  // each read returns what was written last
};

// REQUIRES: the same; of the guessed order, that it keeps real time if asked.
NearSerial guess_serial_order(Index& index, bool real_time);

// stretches.cpp: the same order, serial where it was not, if a small search in
// each of the stretches that its stale reads span can make it so. `looks`: of
// the order, which contains so u wr; not empty.
std::optional<std::vector<std::uint32_t>> solve_stretches(
    const Index& index, std::span<const std::uint32_t> order,
    const Looks& looks, bool real_time);

}  // namespace awdit
