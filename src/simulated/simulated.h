// The simulated database: a store inside this process that keeps a level
// exactly, or breaks it to order. Front door.
//
// Exactly: what it promises holds in every run, and what the next stronger
// level forbids does happen, given a workload that can show it. So it is the
// ground truth for everything that records and checks histories. It never
// blocks, and all that happens follows from the seed and the order of the
// requests: one thread makes them all.
//
//   version_store   what commits left behind
//   view            which of it a transaction sees: one rule per family of
//                   levels
//   world           what the sessions share
//   connection      transactions, conflicts, planted bugs
//
// See docs/drivers/simulated.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "database/database.h"

namespace awdit {

// A mistake that the simulated database makes to order.
struct PlantedBug {
  std::string_view name;  // "aborted"
  std::span<const std::string_view> aliases = {};
  std::string_view summary;
  // The weakest level that it breaks, by the name that src/theory uses or would
  // use; every weaker level still holds.
  std::string_view breaks;
  // What a check of that level calls it, by the name of the anomaly; and what
  // may come with it, or "".
  std::string_view anomaly;
  std::string_view brings = {};
  // What the workload must do for it to show.
  std::string_view needs;
  bool lists = false;  // shows in lists only
};
std::span<const PlantedBug> planted_bugs();

struct SimulatedSettings {
  std::uint64_t seed = 1;
  std::string_view level;  // one that it can keep, by the name of src/theory
  const PlantedBug* bug = nullptr;  // a row of planted_bugs(), or nullptr
  // Shares, from 0 to 1.
  double rate = 0;        // of the bug, where it could strike
  double aborts = 0;      // commits that are refused for no reason
  double unknown = 0;     // commits without an answer
  std::uint64_t lag = 0;  // a transaction may miss this many last commits
};

// An error if the level does not promise what the bug breaks.
Result<std::unique_ptr<Database>> make_simulated(
    const SimulatedSettings& settings);

}  // namespace awdit
