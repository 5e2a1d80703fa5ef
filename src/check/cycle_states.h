// Dependencies between a few transactions, and the states in which following
// them turns forbidden cycles into plain ones. Private to check/.
//
// With Cycles::snapshot and prefix a transaction has two states, its snapshot
// (0) and its commit (1); with parallel "no anti-dependency yet" (0) and "one"
// (1); otherwise one.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "check/check.h"

namespace awdit {

// A dependency between two of the transactions, by their numbers here.
struct DependencyArc {
  std::uint32_t from, to;
  Reason reason;
  std::uint32_t key = kNoId;  // of the history: version_order, anti_dependency
  std::uint32_t writer =
      kNoId;  // anti_dependency: of what `from` read, or kNoId for init
  std::uint32_t fact = kNoId;  // that it rests on; none: it is known
};

class CycleStates {
 public:
  explicit CycleStates(Cycles cycles) : cycles_(cycles) {}

  std::uint32_t per_txn() const { return cycles_ == Cycles::all ? 1 : 2; }

  // Calls visit(state after) for each way to take the arc from this state.
  template <typename Visit>
  void follow(const DependencyArc& arc, std::uint32_t state,
              Visit&& visit) const {
    const bool miss = arc.reason == Reason::anti_dependency;
    switch (cycles_) {
      case Cycles::snapshot:
      case Cycles::prefix:
        // From the snapshot one may wait for the commit.
        if (miss) {
          if (state == 0) visit(1u);
        } else if (cycles_ == Cycles::prefix &&
                   arc.reason == Reason::version_order) {
          visit(1u);
        } else {
          visit(0u);
        }
        return;
      case Cycles::parallel:
        if (!miss) visit(state);
        if (miss && state == 0) visit(1u);
        return;
      default:
        visit(0u);
    }
  }
  // In which state the search for the rest of a cycle begins that begins with
  // this arc, and in which it must end to take the arc.
  std::uint32_t after(const DependencyArc& arc) const {
    std::uint32_t result = 0;
    follow(arc, 0, [&](std::uint32_t state) { result = state; });
    return result;
  }
  bool closes(const DependencyArc& first, std::uint32_t state) const {
    const bool miss = first.reason == Reason::anti_dependency;
    switch (cycles_) {
      case Cycles::snapshot:
      case Cycles::prefix:
        return !miss || state == 0;
      default:
        return true;  // parallel: the search began in the state after it
    }
  }

 private:
  Cycles cycles_;
};

}  // namespace awdit
