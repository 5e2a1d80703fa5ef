// Histories that differ only in the order in which sessions are interleaved in
// the input are one history, told in several ways. An exhaustive test need not
// judge each: orbit_of picks one of them, not always the one whose sessions
// come in the same order.
//
// Sound, because exactly one of an orbit is chosen: over a set of scripts that
// is closed under interleaving, the sizes of the chosen ones' orbits add up to
// the number of all. The test that relies on it checks this sum.
//
// Costs all orders of the transactions, at most 4! = 24 in our scopes.
#pragma once

#include <cstddef>

#include "property/script.h"

namespace awdit::property {

struct Orbit {
  std::size_t size = 1;  // how many scripts tell this history
  bool chosen = true;    // whether this is the one to judge
};

// REQUIRES: sessions and keys are numbered by first appearance, and the values
// that a key is given are 1, 2, 3... in the order of the input.
Orbit orbit_of(const Script& script);

}  // namespace awdit::property
