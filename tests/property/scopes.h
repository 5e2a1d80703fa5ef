// Every history of a small scope, one after another. Histories that differ only
// in the names of keys, values or sessions count once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "property/script.h"

namespace awdit::property {

enum class Statuses { committed, one_other, any };

struct Scope {
  std::string_view name;
  int txns;     // exactly
  int max_ops;  // per transaction, at least one
  int keys;
  Statuses statuses;
  bool thin_air;
  int list = 0;              // reads return any lists of up to so many elements
  std::uint64_t stride = 1;  // every so many of them only, unless AWDIT_LONG
  bool timed = false;        // each transaction early, late, or both
  bool distinct = false;     // no element stands in a list twice
};

std::span<const Scope> scopes();

// Calls `visit` with every `part`-th history of the scope and its number, until
// it returns false. Returns how many histories there are in all; the scope's
// own stride is left to the caller.
std::uint64_t for_all_histories(
    const Scope& scope, std::uint64_t part,
    const std::function<bool(const Script&, std::uint64_t number)>& visit);

}  // namespace awdit::property
