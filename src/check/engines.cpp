// THE table of engines. A level of dependencies needs no row: its row in
// theory/levels.cpp says which cycles it forbids, and one engine decides them
// all.
#include "check/engines.h"

#include "base/assert.h"

namespace awdit {
namespace {

struct Row {
  std::string_view level;
  Engine* engine;
};

constexpr Row kEngines[] = {
    {"adya-read-committed", decide_adya_read_committed},
    {"read-committed", decide_read_committed},
    {"read-your-writes", decide_read_your_writes},
    {"monotonic-reads", decide_monotonic_reads},
    {"monotonic-writes", decide_monotonic_writes},
    {"writes-follow-reads", decide_writes_follow_reads},
    {"read-atomic", decide_read_atomic},
    {"causal", decide_causal},
};

}  // namespace

Engine* engine_of(const Level& level) {
  if (level.cycles != Cycles::by_axiom) return decide_by_dependencies;
  for (const Row& row : kEngines) {
    if (row.level == level.name) return row.engine;
  }
  AWDIT_ASSERT(false);  // tests/unit/check/engines_test.cpp
  return nullptr;
}

}  // namespace awdit
