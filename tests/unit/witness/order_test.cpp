// Commit orders: what each level accepts, one rejection per way to be wrong,
// and agreement with the axioms read literally (tests/oracle) for every order
// of many small histories.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "oracle/oracle.h"
#include "unit/witness/case.h"
#include "witness/attribution.h"
#include "witness/axioms.h"
#include "witness/replay.h"

namespace awdit {
namespace {

TEST(Order, MustListExactlyWhatCounts) {
  const Case story("s1: W(x,1) | W(x,2)\ns2: R(x,1)\ns3: W(x,3)!");
  for (const std::string_view level : kAllLevels) {
    expect_accepted(story.judge_order(level, {1, 2, 3}));
    expect_accepted(story.judge_order(level, {1, 3, 2}));
    expect_rejected(story.judge_order(level, {1, 2}),
                    "the commit order leaves out t3");
    expect_rejected(story.judge_order(level, {1, 2, 3, 2}),
                    "the commit order lists t2 twice");
    expect_rejected(story.judge_order(level, {1, 2, 3, 4}),
                    "the commit order lists t4, which did not commit");
    expect_rejected(
        story.judge_order(level, {1, 2, 3, 5}),
        "entry 4 of the commit order is no transaction of this history");
    expect_rejected(
        story.judge_order(level, {1, 2, 3, 0}),
        "entry 4 of the commit order is no transaction of this history");
    expect_rejected(story.judge_order(level, {2, 1, 3}),
                    "the commit order puts t2 before t1, which precedes it in "
                    "session s1");
    expect_rejected(story.judge_order(level, {3, 1, 2}),
                    "t3 read x=1 from t1, but the commit order puts t3 first");
    expect_rejected(story.judge_order(level, {}),
                    "the commit order leaves out t1");
  }
}

TEST(Order, NothingToOrder) {
  const Case empty("");
  const Case aborted("s1: R(x,7)!");
  for (const std::string_view level : kAllLevels) {
    expect_accepted(empty.judge_order(level, {}));
    expect_accepted(aborted.judge_order(level, {}));
  }
}

TEST(Order, ReadCommittedIsMonotonic) {
  const Case story("s1: W(x,1)\ns2: W(x,2) W(y,2)\ns3: R(y,2) R(x,1)");
  expect_accepted(story.judge_order("read-committed", {2, 1, 3}));
  expect_rejected(story.judge_order("read-committed", {1, 2, 3}),
                  "t3 read x=1 from t1 although it had seen t2, which also "
                  "wrote x and which the commit order puts after t1");
  expect_accepted(story.judge_order("adya-read-committed", {1, 2, 3}));
}

TEST(Order, ReadAtomicIgnoresProgramOrder) {
  const Case story("s1: W(x,1)\ns2: W(x,2) W(y,2)\ns3: R(x,1) R(y,2)");
  expect_accepted(story.judge_order("read-committed", {1, 2, 3}));
  expect_accepted(story.judge_order("read-atomic", {2, 1, 3}));
  expect_rejected(story.judge_order("read-atomic", {1, 2, 3}),
                  "t3 read x=1 from t1 although it had seen t2, which also "
                  "wrote x and which the commit order puts after t1");
}

TEST(Order, ReadAtomicLooksAlongTheSession) {
  const Case story("s1: W(x,1) | W(y,1) | R(x,2)\ns2: W(x,2)");
  expect_accepted(story.judge_order("read-atomic", {1, 4, 2, 3}));
  expect_rejected(story.judge_order("read-atomic", {4, 1, 2, 3}),
                  "t3 read x=2 from t4 although it had seen t1, which also "
                  "wrote x and which the commit order puts after t4");
  const Case initial("s1: W(x,1) | R(x,0)");
  expect_accepted(initial.judge_order("read-committed", {1, 2}));
  expect_rejected(initial.judge_order("read-atomic", {1, 2}),
                  "t2 read the initial x=0 although it had seen t1, which also "
                  "wrote x and which the commit order puts after init");
}

TEST(Order, NonRepeatableReadsEndReadAtomic) {
  const Case story("s1: W(x,1)\ns2: W(x,2)\ns3: R(x,1) R(x,2)");
  expect_accepted(story.judge_order("read-committed", {1, 2, 3}));
  for (const std::string_view level : {"read-atomic", "causal"}) {
    expect_rejected(story.judge_order(level, {1, 2, 3}),
                    "t3's read of x=2 is a violation (non-repeatable-read)");
  }
}

TEST(Order, CausalFollowsDependencies) {
  const Case story(
      "s1: W(x,1)\ns2: W(x,2)\ns3: R(x,2) W(y,3)\n"
      "s4: R(y,3) R(x,1)");
  expect_accepted(story.judge_order("read-atomic", {1, 2, 3, 4}));
  expect_accepted(story.judge_order("causal", {2, 1, 3, 4}));
  expect_accepted(story.judge_order("causal", {2, 3, 1, 4}));
  expect_rejected(story.judge_order("causal", {1, 2, 3, 4}),
                  "t4 read x=1 from t1 although it had seen t2, which also "
                  "wrote x and which the commit order puts after t1");
}

// -- against the definitions ----------------------------------------------

std::string random_history(std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % n; };
  const std::size_t sessions = 1 + below(4);
  const std::size_t keys = 1 + below(3);
  const std::size_t txns = 2 + below(4);
  struct Op {
    std::size_t key;
    std::size_t value;  // 0: a read
  };
  std::vector<std::vector<Op>> story(txns);
  std::vector<std::vector<std::size_t>> versions(keys, {0});
  std::size_t next = 1;
  for (std::vector<Op>& ops : story) {
    for (std::size_t i = 1 + below(4); i > 0; --i) {
      Op op{below(keys), 0};
      if (below(2) == 0) {
        op.value = next++;
        versions[op.key].push_back(op.value);
      }
      ops.push_back(op);
    }
  }
  std::vector<std::string> lines(sessions);
  for (const std::vector<Op>& ops : story) {
    std::string& line = lines[below(sessions)];
    if (!line.empty()) line += " |";
    for (const Op& op : ops) {
      const std::size_t seen = versions[op.key][below(versions[op.key].size())];
      line += op.value != 0 ? fmt::format(" W({},{})", op.key, op.value)
                            : fmt::format(" R({},{})", op.key, seen);
    }
    const std::size_t fate = below(10);
    if (fate == 0) line += " !";
    if (fate == 1) line += " ?";
  }
  std::string text;
  for (std::size_t s = 0; s < sessions; ++s) {
    if (!lines[s].empty()) text += fmt::format("{}:{}\n", s, lines[s]);
  }
  return text;
}

TEST(Order, EveryOrderOfSmallHistoriesIsJudgedAsDefined) {
  std::mt19937 random(20250610);
  std::size_t accepted = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::string text = random_history(random);
    SCOPED_TRACE(text);
    const Case story(text);
    const oracle::Facts facts = oracle::resolve(story.history);
    ASSERT_FALSE(facts.malformed);
    if (!facts.read_findings.empty()) continue;
    std::vector<std::uint32_t> order(facts.live.begin(), facts.live.end());
    do {
      for (const Level& level : levels()) {
        // The others need more than an order: strong_order_test.cpp.
        if (level.cycles != Cycles::by_axiom) continue;
        LevelReport claim;
        claim.level = &level;
        claim.verdict = Verdict::holds;
        for (const std::uint32_t t : order) {
          claim.commit_order.push_back(TxnId(t));
        }
        const LevelCheck check = verify(story.history, claim);
        const bool expected =
            oracle::satisfies(facts, *oracle::find_oracle(level.name), order);
        ASSERT_EQ(check.accepted, expected)
            << level.name << ": " << check.objection;
        accepted += expected ? 1 : 0;
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
  EXPECT_GT(accepted, 2000u);
}

// Cutting the table of visibility.h into the smallest pieces changes nothing.
TEST(Order, CausalAnswersDoNotDependOnTheSizeOfBlocks) {
  std::mt19937 random(7);
  int breaches = 0;
  for (int round = 0; round < 400; ++round) {
    const Case story(random_history(random));
    const Attribution attribution = attribute_reads(story.history);
    std::vector<TxnId> order;
    for (const std::uint32_t t : story.history.input_order()) {
      if (attribution.counts[t] != 0) order.push_back(TxnId(t));
    }
    const auto earlier = [&](TxnId a, TxnId b) {
      return a.v % 3 != b.v % 3 ? a.v % 3 < b.v % 3 : a < b;
    };
    for (const bool shuffled : {false, true}) {
      if (shuffled) std::sort(order.begin(), order.end(), earlier);
      const Replay played = replay(story.history, attribution, order);
      if (!played.objection.empty()) continue;
      const bool breach =
          !breach_of_causal(story.history, attribution, played).empty();
      breaches += breach ? 1 : 0;
      for (const VisibilityLimits& limits :
           {VisibilityLimits{.column = 1}, VisibilityLimits{.width = 1},
            VisibilityLimits{.cells = 1},
            VisibilityLimits{.column = 2, .width = 2, .cells = 8}}) {
        EXPECT_EQ(!breach_of_causal(story.history, attribution, played, limits)
                       .empty(),
                  breach);
      }
    }
  }
  EXPECT_GT(breaches, 20);
}

}  // namespace
}  // namespace awdit
