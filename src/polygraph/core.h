// The transactions that a contradiction rests on. Private to polygraph/.
//
// A cycle consists of known dependencies and of inferred ones. Each of the
// latter has a fact behind it, and a path that led to it; the path is searched
// again (shortest first, with few inferred dependencies) among what was there
// in the rounds before, and its own inferred dependencies are explained in the
// same way. Steps along a chain that is ordered by itself need only their ends.
// Cost: one search per fact, bounded by what lies between its ends; within the
// budget of the saturation.
#pragma once

#include <cstdint>
#include <vector>

#include "polygraph/saturate.h"

namespace awdit {

class Core {
 public:
  explicit Core(const Saturation& saturation);

  void add_txn(std::uint32_t txn);
  // A dependency that was inferred, by its number.
  void add_dependency(std::uint32_t number);
  // The step from one point to another, later one of its chain.
  void add_chain_step(std::uint32_t from, std::uint32_t to);
  // Both ends of any other step.
  void add_step(std::uint32_t from, std::uint32_t to);
  // A single step of whatever kind.
  void add_arc(std::uint32_t from, std::uint32_t to);
  // A path along known and inferred dependencies.
  void add_path(std::uint32_t from, std::uint32_t to);

  // All of them, ascending.
  std::vector<std::uint32_t> take();

 private:
  void explain();
  void search(std::uint32_t from, std::uint32_t to, std::uint32_t rounds);

  const Saturation& saturation_;
  const Points& points_;
  Pace pace_;
  std::vector<std::uint32_t> txns_;
  std::vector<std::uint32_t> open_;  // facts
  std::vector<std::uint8_t> known_;  // [fact]
};

// One core for each cyclic component of the saturated graph, at most `most`.
std::vector<std::vector<std::uint32_t>> cores_of_cycles(
    const Saturation& saturation, std::size_t most);

}  // namespace awdit
