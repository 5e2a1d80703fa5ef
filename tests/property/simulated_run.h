// A short run on the simulated database, straight into a history: sessions take
// turns by the seed, operation by operation. No files, no threads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "history/history.h"

namespace awdit::property {

struct SimulatedPlan {
  std::string_view level;
  std::vector<std::pair<std::string, std::string>> knobs;
  std::uint64_t seed = 1;
  std::uint32_t sessions = 5;
  std::uint32_t transactions = 200;  // of all sessions
  std::uint32_t keys = 6;
  std::uint32_t longest = 6;  // operations of a transaction
  bool lists = false;
  bool loaded = false;  // half of the keys are there at the beginning
  double rollbacks = 0;
  bool timed = false;  // begins and ends are counted: Clock::events
};

struct SimulatedRun {
  History history;
  // Value of a write -> when it committed.
  std::map<std::uint64_t, std::uint64_t> committed;
  std::uint32_t refused = 0;
  std::uint32_t lost = 0;
};

SimulatedRun simulate(const SimulatedPlan& plan);

}  // namespace awdit::property
