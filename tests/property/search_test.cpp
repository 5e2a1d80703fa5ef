// Histories of 20 to 200 transactions, too large for brute force: the checker
// against two complete searches that share nothing with it (oracle/search.h).
//
// The histories are those of a store that runs transactions one after another
// and now and then lets one read an old snapshot, or a single read do so: close
// to serializable, so that both verdicts occur at every level. Some have hardly
// any reads: then little is known about the order of versions, and there is
// much to search.
#include "oracle/search.h"

#include <gtest/gtest.h>

#include <map>

#include "check/check.h"
#include "oracle/oracle.h"
#include "property/shapes.h"
#include "witness/witness.h"

namespace awdit::property {
namespace {

#ifdef AWDIT_CHECKED
constexpr std::size_t kHistories = 20;
#else
constexpr std::size_t kHistories = 400;
#endif

struct Plan {
  Shape shape;
  int least, most;  // transactions
};
constexpr std::uint64_t kGuesses = 1'000;
constexpr std::uint64_t kStates = 30'000;

constexpr Plan kPlans[] = {
    {{.name = "store", .sessions = 4, .keys = 8, .chaos = 0}, 20, 200},
    {{.name = "few_keys", .sessions = 5, .keys = 3, .max_ops = 3, .chaos = 0},
     20,
     120},
    {{.name = "few_reads",
      .sessions = 4,
      .keys = 5,
      .max_ops = 3,
      .write = 90,
      .chaos = 0},
     20,
     80},
    {{.name = "blind_writes",
      .sessions = 6,
      .keys = 20,
      .max_ops = 4,
      .write = 80,
      .chaos = 0},
     20,
     70},
    {{.name = "read_mostly",
      .sessions = 8,
      .keys = 6,
      .max_ops = 6,
      .write = 20,
      .chaos = 0},
     20,
     200},
    {{.name = "faults",
      .sessions = 5,
      .keys = 6,
      .abort = 10,
      .unknown = 10,
      .rewrite = 10,
      .own_read = 10,
      .chaos = 0},
     20,
     150},
    {{.name = "lists",
      .sessions = 4,
      .keys = 6,
      .write = 40,
      .chaos = 0,
      .lists = true},
     20,
     120},
};

// The wrong reads of a history: none, a few transactions that read an old
// snapshot, or a few single reads that do.
Shape with_mistakes(Shape shape, int txns, Random& random) {
  switch (random() % 3) {
    case 0:
      break;
    case 1:
      shape.stale = 3 + 200 / txns;
      break;
    case 2:
      shape.torn = 1 + 100 / txns;
      break;
  }
  return shape;
}

struct Tally {
  int holds = 0, violated = 0, unanswered = 0;
};

class Searches : public ::testing::TestWithParam<Plan> {};

TEST_P(Searches, AgreeWithTheChecker) {
  const Plan& plan = GetParam();
  std::map<std::string_view, Tally> tallies;
  for (std::uint64_t seed = 1; seed <= kHistories; ++seed) {
    Random random(seed);
    const int txns =
        plan.least +
        static_cast<int>(random() % unsigned(plan.most - plan.least));
    const Script script =
        generate(with_mistakes(plan.shape, txns, random), txns, random);
    const History history = to_history(script);
    const oracle::Facts facts = oracle::resolve(history);
    Options options;
    options.commit_order = true;
    const Result<Report> report =
        check(history, applicable_levels(history), options);
    ASSERT_TRUE(report) << to_string(report.error());
    for (const LevelReport& level : report->levels) {
      const oracle::Oracle& slow = *oracle::find_oracle(level.level->name);
      if (!slow.strong()) continue;
      SCOPED_TRACE(testing::Message()
                   << "seed " << seed << ", " << level.level->name << "\n"
                   << to_notation(script));
      ASSERT_NE(level.verdict, Verdict::undecided);
      const bool holds = level.verdict == Verdict::holds;
      Tally& tally = tallies[level.level->name];
      ++(holds ? tally.holds : tally.violated);
      bool answered = false;
      if (slow.reads != oracle::Reads::parallel) {
        const std::optional<bool> answer =
            oracle::frontier_search(facts, slow, kStates);
        answered |= answer.has_value();
        ASSERT_EQ(answer.value_or(holds), holds) << "by the frontier";
      }
      const std::optional<bool> answer =
          oracle::closure_search(facts, slow, kGuesses);
      answered |= answer.has_value();
      ASSERT_EQ(answer.value_or(holds), holds) << "by the closure";
      tally.unanswered += !answered;
      const LevelCheck checked = verify(history, level);
      ASSERT_TRUE(checked.accepted) << checked.objection;
    }
  }
  // The test has not become idle.
  for (const auto& [level, tally] : tallies) {
    SCOPED_TRACE(level);
    const int all = tally.holds + tally.violated;
    EXPECT_GE(tally.holds, all / 20);
    EXPECT_GE(tally.violated, all / 20);
    EXPECT_LE(tally.unanswered, all / 10);
    RecordProperty(std::string(level),
                   std::to_string(tally.holds) + " hold, " +
                       std::to_string(tally.violated) + " do not, " +
                       std::to_string(tally.unanswered) + " unanswered");
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, Searches, ::testing::ValuesIn(kPlans),
                         [](const ::testing::TestParamInfo<Plan>& plan) {
                           return std::string(plan.param.shape.name);
                         });

}  // namespace
}  // namespace awdit::property
