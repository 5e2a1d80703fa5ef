// THE table of levels; the lattice is data.
#include "theory/levels.h"

#include <array>

namespace awdit {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 3> kAdyaAliases = {"arc", "pl-2", "g1"};
constexpr std::array<std::string_view, 1> kRcAliases = {"rc"};
constexpr std::array<std::string_view, 2> kRywAliases = {"ryw",
                                                         "read-my-writes"};
constexpr std::array<std::string_view, 1> kMrAliases = {"mr"};
constexpr std::array<std::string_view, 1> kMwAliases = {"mw"};
constexpr std::array<std::string_view, 2> kWfrAliases = {"wfr",
                                                         "session-causality"};
constexpr std::array<std::string_view, 1> kRaAliases = {"ra"};
constexpr std::array<std::string_view, 3> kCausalAliases = {
    "cc", "tcc", "causal-consistency"};
constexpr std::array<std::string_view, 2> kPrefixAliases = {
    "pc", "prefix-consistency"};
constexpr std::array<std::string_view, 2> kPsiAliases = {"psi", "pl-2+"};
constexpr std::array<std::string_view, 2> kSiAliases = {"si", "pl-si"};
constexpr std::array<std::string_view, 3> kSerAliases = {
    "ser", "serializability", "pl-3"};
constexpr std::array<std::string_view, 1> kStrongSiAliases = {"strong-si"};
constexpr std::array<std::string_view, 4> kStrictAliases = {
    "sser", "strict-ser", "strict-serializability", "pl-ss"};

constexpr std::array<std::string_view, 1> kAboveAdya = {"adya-read-committed"};
constexpr std::array<std::string_view, 2> kRaImplies = {"read-committed",
                                                        "read-your-writes"};
constexpr std::array<std::string_view, 4> kCausalImplies = {
    "read-atomic", "monotonic-reads", "monotonic-writes",
    "writes-follow-reads"};
constexpr std::array<std::string_view, 1> kAboveCausal = {"causal"};
constexpr std::array<std::string_view, 2> kSiImplies = {
    "prefix", "parallel-snapshot-isolation"};
constexpr std::array<std::string_view, 1> kAboveSi = {"snapshot-isolation"};
constexpr std::array<std::string_view, 2> kStrictImplies = {
    "serializable", "strong-snapshot-isolation"};

constexpr std::string_view kPaper =
    "Møldrup and Pavlogiannis, PLDI 2025, after Biswas and Enea, OOPSLA 2019";

constexpr std::string_view kGuarantee =
    "Terry et al., PDIS 1994, as an axiom on transactions";

constexpr std::string_view kStrongSource =
    "Biswas and Enea, OOPSLA 2019; Cerone and Gotsman, JACM 2018";
constexpr std::string_view kPsiSource =
    "Sovran et al., SOSP 2011; Cerone, Bernardi and Gotsman, CONCUR 2015";

constexpr Level kLevels[] = {
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
     .cycle = Kind::causality_cycle},
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
     .implies = kAboveAdya,
     .cycle = Kind::non_monotonic_read,
     .premise = Premise::read_before},
    {.name = "read-your-writes",
     .aliases = kRywAliases,
     .title = "Read Your Writes",
     .summary = "a session sees what it wrote before",
     .rule =
         "If t3 reads x from t1, and t2, which comes before t3 in its session, "
         "also writes x, then t2 comes before t1 in the commit order. Besides, "
         "all of adya-read-committed.",
     .example = "s1: W(x,1) | R(x,0)\n",
     .source = kGuarantee,
     .implies = kAboveAdya,
     .cycle = Kind::read_your_writes_violation,
     .premise = Premise::session},
    {.name = "monotonic-reads",
     .aliases = kMrAliases,
     .title = "Monotonic Reads",
     .summary = "what a session has seen it goes on seeing",
     .rule =
         "If t3 reads x from t1, and t2, from which an earlier transaction of "
         "t3's session read, also writes x, then t2 comes before t1 in the "
         "commit order. Besides, all of adya-read-committed.",
     .example = "s1: W(x,1)\ns2: R(x,1) | R(x,0)\n",
     .source = kGuarantee,
     .implies = kAboveAdya,
     .cycle = Kind::monotonic_reads_violation,
     .premise = Premise::read_session},
    {.name = "monotonic-writes",
     .aliases = kMwAliases,
     .title = "Monotonic Writes",
     .summary = "whoever sees a write of a session sees those before it",
     .rule =
         "If t3 reads x from t1, and t2 also writes x and comes before one "
         "that "
         "t3 reads from, in its session, then t2 comes before t1 in the commit "
         "order. Besides, all of adya-read-committed.",
     .example = "s1: W(x,1) | W(y,1)\ns2: R(y,1) R(x,0)\n",
     .source = kGuarantee,
     .implies = kAboveAdya,
     .cycle = Kind::monotonic_writes_violation,
     .premise = Premise::session_read},
    {.name = "writes-follow-reads",
     .aliases = kWfrAliases,
     .title = "Writes Follow Reads",
     .summary = "whoever sees a write sees what its writer had seen",
     .rule =
         "If t3 reads x from t1, and t2 also writes x and was read from by one "
         "that t3 reads from, or earlier in the session of that one, then t2 "
         "comes before t1 in the commit order. Besides, all of "
         "adya-read-committed.",
     .example = "s1: W(x,1)\ns2: R(x,1) W(y,1)\ns3: R(y,1) R(x,0)\n",
     .source = kGuarantee,
     .implies = kAboveAdya,
     .cycle = Kind::writes_follow_reads_violation,
     .premise = Premise::read_read},
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
     .premise = Premise::direct,
     .repeatable_reads = true},
    {.name = "causal",
     .aliases = kCausalAliases,
     .title = "Causal Consistency",
     .summary = "whoever sees an effect sees everything that caused it",
     .rule =
         "If t3 reads x from t1, and t2, on which t3 depends through sessions "
         "and reads, also writes x, then t2 comes before t1 in the commit "
         "order.",
     .example =
         "s1: W(x,1) | W(x,2) | W(y,1)\ns2: R(y,1) | R(x,1)\n",
     .source = kPaper,
     .implies = kCausalImplies,
     .cycle = Kind::causal_violation,
     .premise = Premise::depends_on},
    {.name = "prefix",
     .aliases = kPrefixAliases,
     .title = "Prefix Consistency",
     .summary = "every transaction reads a snapshot of some prefix of the "
                "commit order",
     .rule =
         "There is an order of commits, and every transaction reads the state "
         "after some first part of it; that part contains what comes before "
         "it in its session and what it read from.",
     .example =
         "s1: W(x,1)\ns2: W(y,1)\ns3: R(x,1) R(y,0)\ns4: R(x,0) R(y,1)\n",
     .source = kStrongSource,
     .implies = kAboveCausal,
     .cycle = Kind::long_fork,
     .cycles = Cycles::prefix},
    {.name = "parallel-snapshot-isolation",
     .aliases = kPsiAliases,
     .title = "Parallel Snapshot Isolation",
     .summary = "causal, and no two transactions overwrite the same version",
     .rule = "The versions of each key have an order, and whoever depends on a "
             "version, through sessions, reads and overwriting, never reads an "
             "older one.",
     .example = "s1: R(x,0) W(x,1)\ns2: R(x,0) W(x,2)\n",
     .source = kPsiSource,
     .implies = kAboveCausal,
     .cycle = Kind::lost_update,
     .cycles = Cycles::parallel},
    {.name = "snapshot-isolation",
     .aliases = kSiAliases,
     .title = "Snapshot Isolation",
     .summary = "every transaction reads from a snapshot, and of two that "
                "overlap and write the same key only one commits",
     .rule =
         "There is an order of snapshots and commits. Every transaction reads "
         "the state as of its snapshot, which comes after the commits of its "
         "session before it; and between its snapshot and its commit nobody "
         "commits a write to a key that it writes.",
     .example = "s1: W(x,1) W(b,1) | R(b,2)\ns2: W(y,1) W(a,1) | R(a,2)\n"
                "s3: R(y,0) W(b,2)\ns4: R(x,0) W(a,2)\n",
     .source = kStrongSource,
     .implies = kSiImplies,
     .cycle = Kind::g_nonadjacent,
     .cycles = Cycles::snapshot},
    {.name = "serializable",
     .aliases = kSerAliases,
     .title = "Serializability",
     .summary = "it is as if the transactions had run one after the other",
     .rule =
         "There is an order of all transactions, in which those of a session "
         "keep theirs, and every read returns what was written last before.",
     .example = "s1: R(x,0) W(y,1)\ns2: R(y,0) W(x,1)\n",
     .source = kStrongSource,
     .implies = kAboveSi,
     .cycle = Kind::write_skew,
     .cycles = Cycles::all},
    {.name = "strong-snapshot-isolation",
     .aliases = kStrongSiAliases,
     .title = "Strong Snapshot Isolation",
     .summary = "snapshot isolation, and a snapshot contains everything that "
                "was committed before the transaction began",
     .rule =
         "All of snapshot-isolation; besides, if a transaction ended before "
         "another began, its commit comes before the other's snapshot.",
     .example = "s1: W(x,1) @1-2\ns2: R(x,0) @3-4\n",
     .source = "Daudjee and Salem, VLDB 2006",
     .implies = kAboveSi,
     .cycle = Kind::real_time_violation,
     .cycles = Cycles::snapshot,
     .real_time = true},
    {.name = "strict-serializable",
     .aliases = kStrictAliases,
     .title = "Strict Serializability",
     .summary = "it is as if each transaction had run alone at some moment "
                "between its begin and its end",
     .rule =
         "All of serializable; besides, if a transaction ended before another "
         "began, it comes before it.",
     .example = "s1: W(x,1) @1-2\ns2: R(x,0) W(y,1) @1-6\ns3: R(y,0) @3-4\n",
     .source = "Papadimitriou, JACM 1979",
     .implies = kStrictImplies,
     .cycle = Kind::real_time_violation,
     .cycles = Cycles::all,
     .real_time = true},
};

}  // namespace

std::span<const Level> levels() { return kLevels; }

bool applies(const Level& level, const History& history) {
  return (!level.real_time || history.clock() != Clock::none) &&
         (!needs_session_order(level) || history.session_order());
}

std::vector<const Level*> applicable_levels(const History& history) {
  std::vector<const Level*> found;
  for (const Level& level : levels()) {
    if (applies(level, history)) found.push_back(&level);
  }
  return found;
}

}  // namespace awdit
