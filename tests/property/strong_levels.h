// The strong levels given the order of each key's versions, which the simulated
// store knows; or trying all of them.
//
// With D = so u wr u ww, where ww orders the versions of a key and rw leads
// from who read a version to who wrote the next one (Cerone and Gotsman, JACM
// 2018; Biswas and Enea for prefix):
//   prefix                       ww u (so u wr);rw? is acyclic
//   parallel-snapshot-isolation  D is acyclic, and no rw closes a path of D
//   snapshot-isolation           D;rw? is acyclic
//   serializable                 D u rw is acyclic
// Cost: linear for given orders, quadratic for parallel snapshot isolation.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "oracle/oracle.h"

namespace awdit::property {

inline constexpr std::string_view kStrongLevels[] = {
    "prefix", "parallel-snapshot-isolation", "snapshot-isolation",
    "serializable"};

// [key] -> its live writers, oldest first, without init.
using VersionOrder = std::map<std::uint32_t, std::vector<std::uint32_t>>;

// REQUIRES: a name of kStrongLevels; no findings of Read Consistency, and no
// read that repeats differently.
bool holds_for(const oracle::Facts& facts, const VersionOrder& versions,
               std::string_view level);

// Whether it holds for any order of versions. REQUIRES also: few writers.
bool holds_for_some(const oracle::Facts& facts, std::string_view level);

}  // namespace awdit::property
