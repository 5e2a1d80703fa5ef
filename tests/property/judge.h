// One history, everything we know how to ask about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "property/script.h"

namespace awdit::property {

// What to ask beyond verdicts, kinds and evidence at every level.
struct Scrutiny {
  bool brute_force = false;  // few transactions only
  bool forgeries = false;    // wrong evidence is rejected
  bool certificate = false;  // evidence survives writing and reading
  bool renaming = false;     // other names, same findings
  bool options = false;      // threads, --first, one level at a time
  bool core =
      false;  // above causal: what a violation rests on is one by itself
};

// What is wrong, or nothing. Deterministic: the seed decides what is renamed
// and forged.
std::optional<std::string> complaint(const Script& script,
                                     const Scrutiny& scrutiny,
                                     std::uint64_t seed);

// If there is a complaint: the text for a failing test, with a history as small
// as we can make it.
std::optional<std::string> explained_complaint(const Script& script,
                                               const Scrutiny& scrutiny,
                                               std::uint64_t seed);

// 200,000 or AWDIT_RANDOM_HISTORIES.
std::size_t random_histories();

// AWDIT_LONG is set: there is time for everything.
bool takes_long();

}  // namespace awdit::property
