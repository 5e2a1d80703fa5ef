// The oracles of lists by themselves: what the definition's examples must come
// out as, and each oracle against the others. The checker has no part in this.
#include <gtest/gtest.h>

#include <algorithm>

#include "history/text.h"
#include "oracle/oracle.h"
#include "oracle/search.h"
#include "property/judge.h"
#include "property/scopes.h"
#include "property/small_lists.h"

namespace awdit::property {
namespace {

using oracle::Facts;
using oracle::Oracle;

// What each oracle says of the level, if all say the same; otherwise `told` is
// who says what.
std::optional<bool> verdict(const Facts& facts, const Oracle& row,
                            std::string& told) {
  const bool holds = oracle::brute_force(facts, row);
  bool agree = true;
  const auto says = [&](std::string_view who, std::optional<bool> answer) {
    if (answer == holds) return;
    agree = false;
    told += std::string(row.level) + (holds ? " holds" : " is violated") +
            ", but not " + std::string(who) + "\n";
  };
  if (!row.strong()) {
    says("by saturation", oracle::saturate(facts, row).empty());
  } else {
    says("by versions", oracle::by_versions(facts, row));
    says("for the closure search", oracle::closure_search(facts, row, 100'000));
    if (row.reads != oracle::Reads::parallel) {
      says("for the frontier search",
           oracle::frontier_search(facts, row, 1'000'000));
    }
  }
  return agree ? std::optional(holds) : std::nullopt;
}

// -- examples -------------------------------------------------------------

// The levels that hold, as all oracles say.
std::set<std::string_view> holding(const History& history) {
  const Facts facts = oracle::resolve(history);
  EXPECT_FALSE(facts.malformed);
  std::set<std::string_view> levels;
  for (const Oracle& row : oracle::oracles()) {
    std::string told;
    const std::optional<bool> holds = verdict(facts, row, told);
    EXPECT_TRUE(holds) << told;
    if (holds.value_or(false)) levels.insert(row.level);
  }
  return levels;
}

History parsed(std::string_view text) {
  Result<History> history = parse_text(text);
  EXPECT_TRUE(history) << text;
  return std::move(*history);
}

// What is wrong with single reads: "t2: intermediate-read".
std::string findings(const History& history) {
  std::string text;
  for (const auto& [kind, op] : oracle::resolve(history).read_findings) {
    if (!text.empty()) text += ", ";
    text += history.txn_name(history.txn_of(OpId(op))) + ": " +
            std::string(anomaly(kind).name);
  }
  return text;
}

// And how cycles are called at the weakest level that has one.
std::string cycles(const History& history) {
  const Facts facts = oracle::resolve(history);
  for (const Oracle& row : oracle::oracles()) {
    if (row.strong()) continue;
    oracle::Findings all = oracle::saturate(facts, row);
    std::erase_if(all, [](const oracle::Finding& finding) {
      return finding.second != oracle::kNone;
    });
    if (!all.empty()) return oracle::to_string(all);
  }
  return "";
}

struct Example {
  std::string_view text;
  std::string_view findings;
  std::string_view cycles;
};

TEST(Lists, ThatViolateEveryLevel) {
  const Example examples[] = {
      // The second comes before the third by so, yet [1] is right before it.
      {"s1: A(x,1) | A(x,2) | A(x,3) R(x,[1 3])", "", "dependency-cycle"},
      {"s1: A(x,1) A(x,2) R(x,[2])", "t1: own-write-ignored", ""},
      {"s1: A(x,1) | A(x,2) | R(x,[2])", "", "dependency-cycle"},
      {"s1: A(x,1) A(x,2)\ns2: R(x,[2])", "t2: intermediate-read", ""},
      {"s1: A(x,1) A(x,2)\ns2: A(x,3)\ns3: R(x,[1 3])", "t3: intermediate-read",
       ""},
      {"s1: A(x,1) A(x,2)\ns2: A(x,3)\ns3: R(x,[2 1 3])",
       "t3: intermediate-read", ""},
      {"s1: A(x,1) A(y,1)\ns2: A(x,2) A(y,2)\ns3: R(x,[1 2]) R(y,[2 1])", "",
       "dependency-cycle"},
      {"s1: R(x,[]) A(x,1)\n"
       "s2: R(x,[]) A(x,2) R(x,[2]) | A(x,3) R(x,[1 2 3])",
       "t2: incompatible-order", ""},
  };
  for (const Example& example : examples) {
    SCOPED_TRACE(example.text);
    const History history = parsed(example.text);
    EXPECT_EQ(holding(history), std::set<std::string_view>());
    EXPECT_EQ(findings(history), example.findings);
    EXPECT_EQ(cycles(history), example.cycles);
  }
}

// The example of Elle's paper, with other names. t3's own append stands right
// behind what t1 appended to z, so t4's comes later; t4 did not see what t2
// appended to y, and t3 did.
constexpr std::string_view kReadSkew =
    "s1: A(x,1) A(x,2) A(y,1) A(y,2) A(z,1)\n"
    "s2: A(y,3) R(x,[1 2])\n"
    "s3: A(z,2) R(y,[1 2 3]) R(z,[1 2]) R(x,[1 2])\n"
    "s4: A(w,1) R(x,[1 2]) R(y,[1 2]) A(z,3)";

TEST(Lists, WithReadSkewKeepPrefix) {
  const std::set<std::string_view> kept = {
      "adya-read-committed", "read-committed",   "read-your-writes",
      "monotonic-reads",     "monotonic-writes", "writes-follow-reads",
      "read-atomic",         "causal",           "prefix"};
  const History history = parsed(kReadSkew);
  EXPECT_EQ(findings(history), "");
  EXPECT_EQ(holding(history), kept);
  EXPECT_EQ(holding(parsed(kReadSkew).without_session_order()), kept);
}

TEST(Lists, WithoutSessionOrderMayBeInAnyOrder) {
  const std::string_view text = "s1: A(x,1) | A(x,2) | R(x,[2])";
  EXPECT_EQ(holding(parsed(text).without_session_order()).size(),
            oracle::oracles().size());
}

TEST(Lists, FindingsAreTestedInOrder) {
  const Example examples[] = {
      {"s1: A(x,1)! \ns2: R(x,[1 9])", "t2: thin-air-read", ""},
      {"s1: A(x,1)! \ns2: R(x,[1 2]) A(x,2)", "t2: aborted-read", ""},
      {"s1: A(x,1)\ns2: A(x,2) R(x,[2 1 3]) A(x,3)", "t2: future-read", ""},
      {"s1: A(x,1)\ns2: A(x,2) R(x,[1])", "t2: own-write-ignored", ""},
      {"s1: A(x,1)\ns2: A(x,2) R(x,[])", "t2: own-write-ignored", ""},
      {"s1: A(x,1)\ns2: A(x,2) R(x,[2 1])", "t2: own-write-ignored", ""},
      {"s1: A(x,1)\ns2: A(x,2) A(x,3) R(x,[2 1 3])", "t2: own-write-ignored",
       ""},
      {"s1: A(x,1)\ns2: A(x,2) A(x,3) R(x,[1 2])", "t2: stale-own-write", ""},
      {"s1: A(x,1)\ns2: A(x,2) A(x,3) R(x,[3 2])", "t2: stale-own-write", ""},
      {"s1: A(x,1) A(x,2)\ns2: A(x,3) R(x,[1 3])", "t2: intermediate-read", ""},
      {"s1: A(x,1) A(x,2)\ns2: R(x,[1 1 2])", "t2: intermediate-read", ""},
      {"s1: A(x,1) A(x,2)\ns2: R(x,[1 2 1 2])", "t2: duplicate-element", ""},
      {"s1: A(x,1)\ns2: A(x,2) R(x,[2 1 2])", "t2: duplicate-element", ""},
      {"s1: A(x,1)\ns2: A(x,2)\ns3: R(x,[1 2]) | R(x,[2])",
       "t4: incompatible-order", ""},
      // The first of the longest is right.
      {"s1: A(x,1)\ns2: A(x,2)\ns3: R(x,[2]) | R(x,[1])",
       "t4: incompatible-order", ""},
  };
  for (const Example& example : examples) {
    SCOPED_TRACE(example.text);
    const History history = parsed(example.text);
    EXPECT_EQ(findings(history), example.findings);
    EXPECT_TRUE(holding(history).empty());
  }
}

// A list that was read under own appends is a read of what lies below them.
TEST(Lists, OwnAppendsStandOnAVersion) {
  const History repeated = parsed("s1: A(x,1)\ns2: R(x,[]) A(x,2) R(x,[1 2])");
  // Sessions of one transaction, of which none saw what another had seen, keep
  // every guarantee that sessions have.
  EXPECT_EQ(holding(repeated),
            (std::set<std::string_view>{
                "adya-read-committed", "read-committed", "read-your-writes",
                "monotonic-reads", "monotonic-writes", "writes-follow-reads"}));
  EXPECT_EQ(
      oracle::to_string(oracle::saturate(oracle::resolve(repeated),
                                         *oracle::find_oracle("read-atomic"))),
      "fractured-read, non-repeatable-read");
  // t2 saw t1 through y, but not what it appended to x.
  const History fractured =
      parsed("s1: A(x,1) A(y,1)\ns2: R(y,[1]) A(x,2) R(x,[2])");
  EXPECT_EQ(holding(fractured).size(), 0u);
  EXPECT_EQ(cycles(fractured), "dependency-cycle");
  EXPECT_EQ(holding(parsed("s1: A(x,1)\ns2: A(x,2) R(x,[1 2]) A(x,3)\n"
                           "s3: R(x,[1 2 3])"))
                .size(),
            oracle::oracles().size());
}

TEST(Lists, AnyElementThatIsReadPromotes) {
  const History chain = parsed(
      "s1: A(x,1) R(y,[7])?\n"
      "s2: A(y,7)?\n"
      "s3: A(y,8)?\n"
      "s4: A(x,2) | R(x,[1 2])");
  const Facts facts = oracle::resolve(chain);
  EXPECT_EQ(facts.promoted, (std::set<std::uint32_t>{0, 1}));
  EXPECT_EQ(holding(chain).size(), oracle::oracles().size());
}

TEST(Lists, RespectTimesWhereTheLevelDoes) {
  const std::set<std::string_view> kept =
      holding(parsed("s1: A(x,1) @1-2\ns2: R(x,[]) @3-4"));
  EXPECT_TRUE(kept.contains("serializable"));
  EXPECT_TRUE(kept.contains("snapshot-isolation"));
  EXPECT_FALSE(kept.contains("strict-serializable"));
  EXPECT_FALSE(kept.contains("strong-snapshot-isolation"));
}

// -- each against the others ------------------------------------------------

// The first disagreement, or "".
std::string disagreement(const Script& script, std::uint64_t seed) {
  const Facts facts = oracle::resolve(to_history(script));
  if (facts.malformed) return "";
  std::string told;
  for (const Oracle& row : oracle::oracles()) {
    const std::optional<bool> holds = verdict(facts, row, told);
    if (!holds) return told;
    // Axioms and snapshots say the same of an order.
    Random random(seed);
    std::vector<std::uint32_t> order(facts.live.begin(), facts.live.end());
    std::shuffle(order.begin(), order.end(), random);
    const bool fits = oracle::satisfies(facts, row, order);
    if (fits && !*holds) return std::string(row.level) + " has an order\n";
    if (!row.has_snapshots()) continue;
    if (oracle::replays(facts, row, order,
                        oracle::smallest_snapshots(facts, row, order)) !=
        fits) {
      return std::string(row.level) + " has snapshots of other orders\n";
    }
  }
  return told;
}

void expect_agreement(const Script& script, std::uint64_t seed) {
  if (disagreement(script, seed).empty()) return;
  const Script least = shrink(script, [&](const Script& smaller) {
    return !disagreement(smaller, seed).empty();
  });
  FAIL() << "seed " << seed << "\n"
         << disagreement(least, seed) << to_notation(least);
}

TEST(ListOracles, AgreeWithEachOther) {
  const std::size_t count = random_histories() / 2;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    Random random(seed);
    const int txns = 2 + static_cast<int>(random() % 4);
    ASSERT_NO_FATAL_FAILURE(
        expect_agreement(small_list_history(txns, random), seed));
  }
}

// Only some of them: exhaustive_test has them all, against brute force. Checked
// builds are there for the checker, which has no part in this.
#ifdef AWDIT_CHECKED
constexpr std::uint64_t kStride = 101;
#else
constexpr std::uint64_t kStride = 11;
#endif

TEST(ListOracles, AgreeWithEachOtherInSmallScopes) {
  for (const Scope& scope : scopes()) {
    if (scope.list == 0) continue;
    for_all_histories(scope, kStride * scope.stride,
                      [&](const Script& script, std::uint64_t number) {
                        expect_agreement(script, number);
                        return !HasFailure();
                      });
    ASSERT_FALSE(HasFailure()) << scope.name;
  }
}

// Too large for brute force: the two searches.
TEST(ListOracles, AgreeWithEachOtherOnLargerHistories) {
  const std::size_t count = random_histories() / 100;
  std::size_t answered = 0, asked = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    Random random(seed + 500'000'000);
    const int txns = 7 + static_cast<int>(random() % 14);
    const Script script = small_list_history(txns, random);
    const Facts facts = oracle::resolve(to_history(script));
    if (facts.malformed || !facts.read_findings.empty()) continue;
    for (const Oracle& row : oracle::oracles()) {
      if (!row.strong() || row.reads == oracle::Reads::parallel) continue;
      const auto by_closure = oracle::closure_search(facts, row, 1'000);
      const auto by_frontier = oracle::frontier_search(facts, row, 10'000);
      ++asked;
      if (!by_closure || !by_frontier) continue;
      ++answered;
      ASSERT_EQ(by_closure, by_frontier)
          << "seed " << seed << ", " << row.level << "\n"
          << to_notation(script);
    }
  }
  EXPECT_GE(answered * 10, asked * 9);
}

}  // namespace
}  // namespace awdit::property
