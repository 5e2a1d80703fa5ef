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
  std::uint64_t stride = 1;  // takes every so many of them only
  bool timed = false;        // each transaction early, late, or both
  bool distinct = false;     // no element stands in a list twice
};

std::span<const Scope> scopes();

// Calls `visit` with those of the scope that its stride, times `stride`,
// leaves, and their numbers, until it returns false. Returns how many there are
// without any stride.
std::uint64_t for_all_histories(
    const Scope& scope, std::uint64_t stride,
    const std::function<bool(const Script&, std::uint64_t number)>& visit);

}  // namespace awdit::property
