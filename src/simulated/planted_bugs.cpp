// THE table of bugs that the simulated database makes to order.
//
// Each row says what the bug breaks, and the bug breaks just that: weaker
// levels that the store can keep hold, and a check of the level finds the
// anomaly of the row, and no other but what `brings` names. (Of `causal` some
// are told as what they are at the three session guarantees of which the store
// promises nothing.) tests/property/simulated_test.cpp holds every row against
// the checker. How each is made is told where it strikes, in connection.cpp.
#include <array>

#include "simulated/simulated.h"
#include "simulated/world.h"

namespace awdit {
namespace {

using simulated::Bug;

constexpr std::array<PlantedBug, static_cast<std::size_t>(Bug::none)> kBugs = {{
    {.name = "aborted",
     .summary = "a commit is refused, yet its writes remain",
     .breaks = "adya-read-committed",
     .anomaly = "aborted-read",
     .needs = "reads what others write"},
    {.name = "intermediate",
     .summary = "a transaction's first write of a key survives its last one",
     .breaks = "adya-read-committed",
     .anomaly = "intermediate-read",
     .needs = "writes a key twice in one transaction"},
    {.name = "future",
     .summary = "a transaction reads what it writes only later",
     .breaks = "adya-read-committed",
     .anomaly = "future-read",
     .needs = "reads a key and writes it next"},
    {.name = "thin-air",
     .summary = "a read returns what nobody wrote",
     .breaks = "adya-read-committed",
     .anomaly = "thin-air-read",
     .needs = "reads"},
    {.name = "own-write",
     .summary = "a transaction does not see its own write",
     .breaks = "adya-read-committed",
     .anomaly = "own-write-ignored",
     .needs = "writes a key, then reads it in the same transaction"},
    {.name = "stale-own-write",
     .summary = "a transaction sees its last write but one",
     .breaks = "adya-read-committed",
     .anomaly = "stale-own-write",
     .needs = "writes a key twice, then reads it in the same transaction"},
    {.name = "duplicate",
     .summary = "an append takes effect twice",
     .breaks = "adya-read-committed",
     .anomaly = "duplicate-element",
     .brings = "intermediate-read",
     .needs = "appends to lists and reads them",
     .lists = true},
    {.name = "reordered",
     .summary = "a read returns the last two elements in the wrong order",
     .breaks = "adya-read-committed",
     .anomaly = "incompatible-order",
     .brings = "dependency-cycle",
     .needs = "appends to lists and reads them",
     .lists = true},
    {.name = "non-monotonic",
     .summary = "a transaction sees an effect, then a value it replaced",
     .breaks = "read-committed",
     .anomaly = "non-monotonic-read",
     .needs = "reads several keys that were written together, or one twice"},
    {.name = "non-repeatable",
     .summary = "a key read twice has two values",
     .breaks = "read-atomic",
     .anomaly = "non-repeatable-read",
     .brings = "fractured-read",
     .needs = "reads a key twice in one transaction"},
    {.name = "fractured",
     .summary = "only one of a transaction's two effects is seen",
     .breaks = "read-atomic",
     .anomaly = "fractured-read",
     .needs = "reads several keys that were written together"},
    {.name = "stale-session",
     .summary = "a session does not see what it committed last",
     .breaks = "read-your-writes",
     .anomaly = "read-your-writes-violation",
     .needs = "reads a key that the session has just written"},
    {.name = "lost-commit",
     .summary = "an acknowledged commit vanishes",
     .breaks = "read-your-writes",
     .anomaly = "read-your-writes-violation",
     .needs = "reads a key that the session has written"},
    {.name = "causal",
     .summary = "an effect is seen without its cause",
     .breaks = "causal",
     .anomaly = "causal-violation",
     .needs = "mixes reads and writes of few keys in many sessions"},
    {.name = "lost-update",
     .summary = "two transactions read the same value and replace it",
     .breaks = "parallel-snapshot-isolation",
     .anomaly = "lost-update",
     .needs = "reads a key, then writes it"},
    {.name = "long-fork",
     .summary = "two sessions see two writes in opposite orders",
     .breaks = "prefix",
     .anomaly = "long-fork",
     .needs = "reads several keys that different sessions write"},
    {.name = "write-skew",
     .summary = "two transactions read two keys and write one each",
     .breaks = "serializable",
     .anomaly = "write-skew",
     .needs = "reads several keys and writes some of them"},
}};

}  // namespace

std::span<const PlantedBug> planted_bugs() { return kBugs; }

}  // namespace awdit
