// THE table of bugs that the simulated database makes to order.
//
// Each row says what the bug breaks, and the bug breaks just that: weaker
// levels that the store can keep hold, and a check of the level finds the
// anomaly of the row, and no other but what `brings` names; or, below causal,
// that of a session guarantee. tests/property/simulated_test.cpp holds every
// row against the checker. How each is made is told where it strikes, in
// simulated.cpp.
#include "driver/planted_bugs.h"

#include <array>

#include "base/assert.h"
#include "base/table.h"
#include "theory/theory.h"

namespace awdit {
namespace {

constexpr std::array<PlantedBug, static_cast<std::size_t>(Bug::none)> kBugs = {{
    {.name = "aborted",
     .aliases = {},
     .summary = "a commit is refused, yet its writes are there",
     .breaks = "adya-read-committed",
     .anomaly = "aborted-read",
     .brings = "",
     .needs = "reads what others write"},
    {.name = "intermediate",
     .aliases = {},
     .summary = "a transaction's first write of a key survives its last one",
     .breaks = "adya-read-committed",
     .anomaly = "intermediate-read",
     .brings = "",
     .needs = "writes a key twice in one transaction"},
    {.name = "future",
     .aliases = {},
     .summary = "a transaction reads what it writes only later",
     .breaks = "adya-read-committed",
     .anomaly = "future-read",
     .brings = "",
     .needs = "reads a key and writes it next"},
    {.name = "thin-air",
     .aliases = {},
     .summary = "a read returns what nobody wrote",
     .breaks = "adya-read-committed",
     .anomaly = "thin-air-read",
     .brings = "",
     .needs = "reads"},
    {.name = "own-write",
     .aliases = {},
     .summary = "a transaction does not see its own write",
     .breaks = "adya-read-committed",
     .anomaly = "own-write-ignored",
     .brings = "",
     .needs = "writes a key, then reads it in the same transaction"},
    {.name = "stale-own-write",
     .aliases = {},
     .summary = "a transaction sees its last write but one",
     .breaks = "adya-read-committed",
     .anomaly = "stale-own-write",
     .brings = "",
     .needs = "writes a key twice, then reads it in the same transaction"},
    {.name = "duplicate",
     .aliases = {},
     .summary = "an append takes effect twice",
     .breaks = "adya-read-committed",
     .anomaly = "duplicate-element",
     .brings = "intermediate-read",
     .needs = "appends to lists and reads them",
     .lists = true},
    {.name = "reordered",
     .aliases = {},
     .summary = "a read returns the last two elements in the wrong order",
     .breaks = "adya-read-committed",
     .anomaly = "incompatible-order",
     .brings = "dependency-cycle",
     .needs = "appends to lists and reads them",
     .lists = true},
    {.name = "non-monotonic",
     .aliases = {},
     .summary = "a transaction sees an effect, then a value it replaced",
     .breaks = "read-committed",
     .anomaly = "non-monotonic-read",
     .brings = "",
     .needs = "reads several keys that were written together, or one twice"},
    {.name = "non-repeatable",
     .aliases = {},
     .summary = "a key read twice has two values",
     .breaks = "read-atomic",
     .anomaly = "non-repeatable-read",
     .brings = "fractured-read",
     .needs = "reads a key twice in one transaction"},
    {.name = "fractured",
     .aliases = {},
     .summary = "one of two effects of a transaction is seen",
     .breaks = "read-atomic",
     .anomaly = "fractured-read",
     .brings = "",
     .needs = "reads several keys that were written together"},
    {.name = "stale-session",
     .aliases = {},
     .summary = "a session does not see what it committed last",
     .breaks = "read-your-writes",
     .anomaly = "read-your-writes-violation",
     .brings = "",
     .needs = "reads a key that the session has just written"},
    {.name = "lost-commit",
     .aliases = {},
     .summary = "an acknowledged commit vanishes",
     .breaks = "read-your-writes",
     .anomaly = "read-your-writes-violation",
     .brings = "",
     .needs = "reads a key that the session has written"},
    {.name = "causal",
     .aliases = {},
     .summary = "an effect is seen without its cause",
     .breaks = "causal",
     .anomaly = "causal-violation",
     .brings = "",
     .needs = "mixes reads and writes of few keys in many sessions"},
    {.name = "lost-update",
     .aliases = {},
     .summary = "two transactions read the same value and replace it",
     .breaks = "parallel-snapshot-isolation",
     .anomaly = "lost-update",
     .brings = "",
     .needs = "reads a key, then writes it"},
    {.name = "long-fork",
     .aliases = {},
     .summary = "two sessions see two writes in opposite orders",
     .breaks = "prefix",
     .anomaly = "long-fork",
     .brings = "",
     .needs = "reads several keys that different sessions write"},
    {.name = "write-skew",
     .aliases = {},
     .summary = "two transactions read two keys and write one each",
     .breaks = "serializable",
     .anomaly = "write-skew",
     .brings = "",
     .needs = "reads several keys and writes some of them"},
}};

}  // namespace

std::span<const PlantedBug> planted_bugs() { return kBugs; }

bool promises(std::string_view level, std::string_view weaker) {
  const Level* const strong = find_row(levels(), level);
  const Level* const weak = find_row(levels(), weaker);
  AWDIT_ASSERT(strong != nullptr && weak != nullptr);
  return implies(*strong, *weak);
}

}  // namespace awdit
