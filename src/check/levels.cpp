// THE table of levels; the lattice is data.
#include "check/levels.h"

#include <array>

#include "base/table.h"

namespace awdit {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 3> kAdyaAliases = {"arc", "pl-2", "g1"};
constexpr std::array<std::string_view, 1> kRcAliases = {"rc"};
constexpr std::array<std::string_view, 1> kRaAliases = {"ra"};
constexpr std::array<std::string_view, 3> kCausalAliases = {
    "cc", "tcc", "causal-consistency"};

constexpr std::array<std::string_view, 1> kRcImplies = {"adya-read-committed"};
constexpr std::array<std::string_view, 1> kRaImplies = {"read-committed"};
constexpr std::array<std::string_view, 1> kCausalImplies = {"read-atomic"};

constexpr std::string_view kPaper =
    "Møldrup and Pavlogiannis, PLDI 2025, after Biswas and Enea, OOPSLA 2019";

constexpr std::array<Level, 4> kLevels = {{
    {.name = "adya-read-committed",
     .aliases = kAdyaAliases,
     .title = "Adya's Read Committed",
     .summary = "reads return final, committed values, and transactions do "
                "not depend on each other in a circle",
     .rule =
         "Every read returns the last write of a committed transaction to the "
         "key, or the reader's own latest write; and transactions do not "
         "depend on each other in a circle.",
     .example = "s1: W(x,1) R(y,1)\ns2: R(x,1) W(y,1)\n",
     .source = "Adya, Liskov and O'Neil, ICDE 2000 (G1), with session order",
     .implies = Names{},
     .cycle = Kind::causality_cycle,
     .decide = decide_adya_read_committed},
    {.name = "read-committed",
     .aliases = kRcAliases,
     .title = "Read Committed",
     .summary = "what a transaction reads never goes back in time while it "
                "runs",
     .rule =
         "If t3 reads from t2 and later reads x from t1, and t2 also writes x, "
         "then t2 comes before t1 in the commit order. Besides, all of "
         "adya-read-committed.",
     .example = "s1: W(x,1) | W(x,2) W(y,2)\ns2: R(y,2) R(x,1)\n",
     .source = kPaper,
     .implies = kRcImplies,
     .cycle = Kind::non_monotonic_read,
     .decide = decide_read_committed},
    {.name = "read-atomic",
     .aliases = kRaAliases,
     .title = "Read Atomic",
     .summary = "all of a transaction's writes are seen, or none",
     .rule =
         "If t3 reads x from t1, and t2, from which t3 reads or which comes "
         "before it in its session, also writes x, then t2 comes before t1 in "
         "the commit order. And a transaction's reads of one key all return "
         "one version.",
     .example = "s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)\n",
     .source = kPaper,
     .implies = kRaImplies,
     .cycle = Kind::fractured_read,
     .decide = decide_read_atomic},
    {.name = "causal",
     .aliases = kCausalAliases,
     .title = "Causal Consistency",
     .summary = "whoever sees an effect sees everything that caused it",
     .rule =
         "If t3 reads x from t1, and t2, on which t3 depends through sessions "
         "and reads, also writes x, then t2 comes before t1 in the commit "
         "order.",
     .example =
         "s1: W(x,1) | W(x,2) W(y,1)\ns2: R(y,1) W(z,1)\ns3: R(z,1) R(x,1)\n",
     .source = kPaper,
     .implies = kCausalImplies,
     .cycle = Kind::causal_violation,
     .decide = decide_causal},
}};

}  // namespace

std::span<const Level> levels() { return kLevels; }

bool implies(const Level& strong, const Level& weak) {
  if (&strong == &weak) return true;
  for (const std::string_view name : strong.implies) {
    const Level* below = find_row(levels(), name);
    if (below != nullptr && implies(*below, weak)) return true;
  }
  return false;
}

}  // namespace awdit
