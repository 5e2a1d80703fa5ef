// THE table of what can be planted, and which of them makes a level the
// strongest that holds.
//
// Every script stands alone: its keys are its own, and its transactions follow
// each other without others in between, so that nothing in the run can see half
// of it (planter.h). What a script breaks is therefore what it breaks by
// itself; tests/property/generate_test.cpp holds each row against the checker.
#include <algorithm>
#include <array>

#include "base/assert.h"
#include "base/table.h"
#include "generate/generate.h"
#include "generate/planter.h"

namespace awdit {
namespace {

constexpr std::array<std::string_view, 1> kLostUpdateAliases = {"p4"};

constexpr Gadget kGadgets[] = {
    {.name = "thin-air-read",
     .summary = "a value that nobody wrote is read",
     .script = "s1: R(x,1)",
     .breaks = {"adya-read-committed"}},
    {.name = "aborted-read",
     .summary = "a value that an aborted transaction wrote is read",
     .script = "s1: W(x,1)!\n"
               "s2: R(x,1)",
     .breaks = {"adya-read-committed"}},
    {.name = "future-read",
     .summary = "a transaction reads what it writes only later",
     .script = "s1: R(x,1) W(x,1)",
     .breaks = {"adya-read-committed"}},
    {.name = "own-write-ignored",
     .summary = "a transaction writes a key, then reads someone else's value",
     .script = "s1: W(x,1)\n"
               "s2: W(x,2) R(x,1)",
     .breaks = {"adya-read-committed"}},
    {.name = "stale-own-write",
     .summary = "a transaction reads its first write after the second",
     .script = "s1: W(x,1) W(x,2) R(x,1)",
     .breaks = {"adya-read-committed"}},
    {.name = "intermediate-read",
     .summary = "a value is read that its writer overwrote before committing",
     .script = "s1: W(x,1) W(x,2)\n"
               "s2: R(x,1)",
     .breaks = {"adya-read-committed"}},
    {.name = "duplicate-element",
     .summary = "a list is read that holds an element twice",
     .script = "s1: A(x,1)\n"
               "s2: R(x,[1 1])",
     .breaks = {"adya-read-committed"}},
    {.name = "incompatible-order",
     .summary = "two lists are read that disagree on the order of elements",
     .script = "s1: A(x,1)\n"
               "s2: A(x,2)\n"
               "s1: R(x,[2 1])\n"
               "s2: R(x,[1 2])",
     .breaks = {"adya-read-committed"}},
    {.name = "causality-cycle",
     .summary = "two transactions read from each other",
     .script = "s1: R(y,1) W(x,1)\n"
               "s2: R(x,1) W(y,1)",
     .breaks = {"adya-read-committed"}},
    {.name = "non-monotonic-read",
     .summary = "a transaction sees an effect, then a value it replaced",
     .script = "s1: W(x,1) | W(x,2) W(y,1)\n"
               "s2: R(y,1) R(x,1)",
     .breaks = {"read-committed"}},
    {.name = "non-repeatable-read",
     .summary = "a key read twice has two values",
     .script = "s1: W(x,1)\n"
               "s2: W(x,2)\n"
               "s1: R(x,1) R(x,2)",
     .breaks = {"read-atomic"}},
    {.name = "read-your-writes-violation",
     .summary = "a session does not see what it wrote before",
     .script = "s1: W(x,1) | W(x,2)\n"
               "s1: R(x,1)",
     .breaks = {"read-your-writes"}},
    {.name = "monotonic-reads-violation",
     .summary = "a session sees an effect and later what preceded it",
     .script = "s1: W(x,1) | W(x,2) W(y,1)\n"
               "s2: R(y,1) | R(x,1)",
     .breaks = {"monotonic-reads"}},
    {.name = "monotonic-writes-violation",
     .summary = "a session's write is seen without the one before it",
     .script = "s1: W(x,1) | W(x,2) | W(y,1)\n"
               "s2: R(y,1) R(x,1)",
     .breaks = {"monotonic-writes"}},
    {.name = "writes-follow-reads-violation",
     .summary = "a write is seen without what its writer had seen",
     .script = "s1: W(x,1) | W(x,2)\n"
               "s2: R(x,2) W(y,1)\n"
               "s3: R(y,1) R(x,1)",
     .breaks = {"writes-follow-reads"}},
    {.name = "fractured-read",
     .summary = "only one of a transaction's two effects is seen",
     .script = "s1: W(x,1) | W(x,2) W(y,1)\n"
               "s2: R(x,1) R(y,1)",
     .breaks = {"read-atomic"}},
    {.name = "causal-violation",
     .summary = "a session sees an effect and later what preceded its cause",
     .script = "s1: W(x,1) | W(x,2) | W(y,1)\n"
               "s2: R(y,1) | R(x,1)",
     .breaks = {"causal"}},
    {.name = "dependency-cycle",
     .summary = "two transactions append to two lists, in opposite orders",
     .script = "s1: A(x,1) A(y,1)\n"
               "s2: A(x,2) A(y,2)\n"
               "s1: R(y,[2 1])\n"
               "s2: R(x,[1 2])",
     .breaks = {"adya-read-committed"}},
    {.name = "read-skew",
     .summary = "a newer value is seen without what came with the older one",
     .script = "s1: W(x,1) W(y,1)\n"
               "s2: W(y,2)\n"
               "s1: R(x,1) R(y,2)\n"
               "s2: R(y,2) R(x,0)",
     .breaks = {"prefix", "parallel-snapshot-isolation"}},
    {.name = "g-nonadjacent",
     .summary = "three sessions write a key each and miss the next one's",
     .script = "s1: W(x,1)\n"
               "s2: W(y,1)\n"
               "s3: W(z,1)\n"
               "s1: R(y,0)\n"
               "s2: R(z,0)\n"
               "s3: R(x,0)",
     .breaks = {"prefix"}},
    {.name = "long-fork",
     .summary = "two sessions see two writes in opposite orders",
     .script = "s1: W(x,1)\n"
               "s2: W(y,1)\n"
               "s3: R(x,1) R(y,0)\n"
               "s4: R(x,0) R(y,1)",
     .breaks = {"prefix"}},
    {.name = "lost-update",
     .aliases = kLostUpdateAliases,
     .summary = "two transactions read the same value and replace it",
     .script = "s1: R(x,0) W(x,1)\n"
               "s2: R(x,0) W(x,2)",
     .breaks = {"parallel-snapshot-isolation"}},
    {.name = "write-skew",
     .summary = "two transactions read two keys and write one each",
     .script = "s1: R(x,0) R(y,0) W(x,1)\n"
               "s2: R(x,0) R(y,0) W(y,1)",
     .breaks = {"serializable"}},
    {.name = "g2-item",
     .summary =
         "two sessions miss each other's write, one of them a step later",
     .script = "s1: R(y,0) W(x,1)\n"
               "s2: W(y,1)\n"
               "s2: R(x,0)",
     .breaks = {"serializable"}},
};

}  // namespace

std::span<const Gadget> gadgets() { return kGadgets; }

std::vector<const Gadget*> gadgets_above(const Level& level) {
  std::vector<const Level*> beyond;
  for (const Level& other : levels()) {
    if (!other.real_time && !implies(level, other)) beyond.push_back(&other);
  }
  std::vector<const Gadget*> found;
  for (const Level* next : weakest_of(beyond)) {
    const Gadget* gadget = find_row(gadgets(), anomaly(next->cycle).name);
    AWDIT_ASSERT(gadget != nullptr);
    found.push_back(gadget);
  }
  return found;
}

bool breaks(const Gadget& gadget, const Level& level) {
  return std::any_of(gadget.breaks.begin(), gadget.breaks.end(),
                     [&](std::string_view name) {
                       const Level* weakest = find_row(levels(), name);
                       return weakest != nullptr && implies(level, *weakest);
                     });
}

std::uint32_t sessions_of(const Gadget& gadget) {
  return script_of(gadget).num_sessions();
}

bool needs_lists(const Gadget& gadget) { return script_of(gadget).has_lists(); }

}  // namespace awdit
