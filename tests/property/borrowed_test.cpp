// Histories without session order, too large for an oracle: what is found with
// the help of sessions that do not count (check/borrowed_chains.h) is what is
// found without, and the verifier accepts it. The simulated database makes
// them, with replicas that are behind, so that its sessions do go back in time.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "base/random.h"
#include "check/check.h"
#include "driver/driver.h"
#include "property/simulated_run.h"
#include "witness/witness.h"

namespace awdit::property {
namespace {

#ifdef AWDIT_CHECKED
constexpr std::uint64_t kSeeds = 2;
constexpr std::uint32_t kMostTxns = 300;
#else
constexpr std::uint64_t kSeeds = 8;
constexpr std::uint32_t kMostTxns = 2000;
#endif

SimulatedPlan plan_of(std::uint64_t seed, std::string_view level) {
  Random random(seed);
  SimulatedPlan plan;
  plan.level = level;
  plan.seed = seed;
  plan.sessions = 3 + random.below(18);
  plan.transactions = 100 + random.below(kMostTxns - 100);
  plan.keys = 5 + random.below(plan.transactions);
  plan.longest = 2 + random.below(6);
  plan.lists = random.below(2) == 0;
  plan.loaded = random.below(2) == 0;
  plan.timed = random.below(2) == 0;
  if (random.below(2) == 0) {
    plan.knobs.push_back({"lag", std::to_string(random.below(200))});
  }
  return plan;
}

Report ask(const History& history, std::uint32_t borrow_above) {
  Options options;
  options.commit_order = true;
  options.borrow_above = borrow_above;
  Result<Report> report = check(history, applicable_levels(history), options);
  EXPECT_TRUE(report) << report.error().message;
  return std::move(*report);
}

TEST(Borrowed, ChainsChangeNoVerdict) {
  std::map<std::string_view, std::set<Verdict>> seen;
  for (const Promise& promise : driver_of("simulated")->levels) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      SCOPED_TRACE(testing::Message() << promise.name << ", seed " << seed);
      const History history =
          std::move(simulate(plan_of(seed, promise.name)).history)
              .without_session_order();
      const Report with = ask(history, 0), without = ask(history, UINT32_MAX);
      for (std::size_t i = 0; i < with.levels.size(); ++i) {
        const LevelReport& level = with.levels[i];
        EXPECT_EQ(level.verdict, without.levels[i].verdict)
            << level.level->name;
        const LevelCheck checked = verify(history, level);
        EXPECT_TRUE(checked.accepted)
            << level.level->name << ": " << checked.objection;
        seen[level.level->name].insert(level.verdict);
      }
      ASSERT_FALSE(HasFailure());
    }
  }
  for (const std::string_view level :
       {"read-atomic", "causal", "prefix", "parallel-snapshot-isolation",
        "snapshot-isolation", "serializable"}) {
    EXPECT_EQ(seen[level].size(), 2u) << level;
  }
}

}  // namespace
}  // namespace awdit::property
