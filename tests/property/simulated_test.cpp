// The simulated database, held against the checker: a level holds in every run
// and is all that holds; a planted bug breaks what its row says, by name, and
// nothing weaker. Above causal there are three more opinions: the order of
// versions, which the store knows; all orders of them, tried; and the searches
// of oracle/search.h.
#include "simulated/simulated.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/table.h"
#include "check/check.h"
#include "driver/driver.h"
#include "history/text.h"
#include "oracle/oracle.h"
#include "oracle/search.h"
#include "property/another_name.h"
#include "property/simulated_run.h"
#include "property/strong_levels.h"

namespace awdit::property {
namespace {

#ifdef AWDIT_CHECKED
constexpr std::uint64_t kSeeds = 100;
constexpr std::uint64_t kBugSeeds = 4;
constexpr std::uint64_t kLongRuns = 1;
#else
constexpr std::uint64_t kSeeds = 1000;
constexpr std::uint64_t kBugSeeds = 8;
constexpr std::uint64_t kLongRuns = 2;
#endif

bool by_night() { return std::getenv("AWDIT_LONG") != nullptr; }

std::span<const Promise> promises() { return driver_of("simulated")->levels; }

// -- asking -------------------------------------------------------------------

// Weakest first.
std::vector<LevelReport> reports(const History& history) {
  Result<Report> report = check(history, applicable_levels(history), {});
  EXPECT_TRUE(report) << report.error().message;
  return std::move(report->levels);
}

VersionOrder version_order(const SimulatedRun& run) {
  std::map<std::uint32_t, std::map<std::uint64_t, std::uint32_t>> by_time;
  const History& history = run.history;
  for (const TxnId txn : history.txns()) {
    for (const OpId op : history.ops(txn)) {
      if (!history.is_write(op)) continue;
      const auto at = run.committed.find(history.value(op).bits);
      if (at == run.committed.end()) continue;
      by_time[history.key(op).v][at->second] = txn.v;
    }
  }
  VersionOrder versions;
  for (const auto& [key, writers] : by_time) {
    for (const auto& [at, txn] : writers) versions[key].push_back(txn);
  }
  return versions;
}

bool is_strong(std::string_view level) {
  return std::find(std::begin(kStrongLevels), std::end(kStrongLevels), level) !=
         std::end(kStrongLevels);
}

// Whether a level includes another one.
bool includes(std::string_view strong, std::string_view weak) {
  const Level* const level = find_row(levels(), strong);
  const Level* const below = find_row(levels(), weak);
  return level != nullptr && below != nullptr && implies(*level, *below);
}

std::set<std::string_view> names(const LevelReport& report) {
  std::set<std::string_view> all;
  for (const Violation& violation : report.violations) {
    all.insert(anomaly(violation.kind).name);
  }
  return all;
}

// Other parameters for every seed.
SimulatedPlan plan_of(std::uint64_t seed, std::string_view level) {
  Random random(seed);
  SimulatedPlan plan;
  plan.level = level;
  plan.seed = seed;
  plan.sessions = 2 + random.below(7);
  plan.transactions = 20 + random.below(60);
  plan.keys = 2 + random.below(10);
  plan.longest = 1 + random.below(8);
  plan.lists = random.below(3) == 0;
  plan.loaded = random.below(2) == 0;
  plan.rollbacks = random.below(3) == 0 ? 0.2 : 0;
  if (random.below(4) == 0) plan.knobs.push_back({"aborts", "10"});
  if (random.below(4) == 0) {
    plan.knobs.push_back({"lag", std::to_string(random.below(40))});
  }
  return plan;
}

// -- levels -------------------------------------------------------------------

TEST(Simulated, ALevelHoldsInEveryRun) {
  for (const Promise& promise : promises()) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      SCOPED_TRACE(testing::Message() << promise.name << ", seed " << seed);
      SimulatedPlan plan = plan_of(seed, promise.name);
      // The order of versions is not known where an answer was lost.
      const bool loses = !is_strong(promise.name) && seed % 4 == 0;
      if (loses) plan.knobs.push_back({"unknown", "20"});
      const SimulatedRun run = simulate(plan);
      for (const LevelReport& report : reports(run.history)) {
        if (!includes(promise.name, report.level->name)) continue;
        EXPECT_EQ(report.verdict, Verdict::holds)
            << report.level->name << " "
            << testing::PrintToString(names(report)) << "\n"
            << to_text(run.history);
      }
      if (is_strong(promise.name)) {
        const oracle::Facts facts = oracle::resolve(run.history);
        const VersionOrder versions = version_order(run);
        for (const std::string_view strong : kStrongLevels) {
          if (!includes(promise.name, strong)) continue;
          EXPECT_TRUE(holds_for(facts, versions, strong)) << strong;
        }
      }
      ASSERT_FALSE(HasFailure());
    }
  }
}

// Long enough for old versions to be dropped, while others still read.
TEST(Simulated, ALevelHoldsInLongRuns) {
  const std::uint64_t runs = by_night() ? 6 : kLongRuns;
  for (const Promise& promise : promises()) {
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      SCOPED_TRACE(testing::Message() << promise.name << ", seed " << seed);
      SimulatedPlan plan = plan_of(seed, promise.name);
      plan.transactions = 3000;
      plan.sessions = 30;
      plan.knobs = {{"lag", seed % 2 == 0 ? "0" : "20"}};
      for (const LevelReport& report : reports(simulate(plan).history)) {
        if (!includes(promise.name, report.level->name)) continue;
        EXPECT_EQ(report.verdict, Verdict::holds)
            << report.level->name << " "
            << testing::PrintToString(names(report));
      }
    }
  }
}

TEST(Simulated, NoStrongerLevelHolds) {
  for (const Promise& promise : promises()) {
    std::set<std::string_view> broken;
    std::uint64_t seed = 0;
    // Few enough transactions for every order of versions to be tried.
    while (++seed <= 4 * kSeeds) {
      SimulatedPlan plan;
      plan.level = promise.name;
      plan.seed = seed;
      plan.sessions = 4;
      plan.transactions = 7;
      plan.keys = 3;
      plan.longest = 4;
      const SimulatedRun run = simulate(plan);
      const oracle::Facts facts = oracle::resolve(run.history);
      bool causal = false;
      for (const LevelReport& report : reports(run.history)) {
        if (report.verdict == Verdict::violated) {
          broken.insert(report.level->name);
        }
        const bool holds = report.verdict == Verdict::holds;
        if (report.level->name == "causal") causal = holds;
        if (seed <= kSeeds / 20 && causal && is_strong(report.level->name)) {
          ASSERT_EQ(holds, holds_for_some(facts, report.level->name))
              << report.level->name << "\n"
              << to_text(run.history);
        }
      }
    }
    for (const Level& level : levels()) {
      if (level.real_time) continue;  // the history has no times
      EXPECT_NE(broken.contains(level.name), includes(promise.name, level.name))
          << promise.name << " " << level.name;
    }
  }
}

TEST(Simulated, TheOracleAgrees) {
  for (const Promise& promise : promises()) {
    for (std::uint64_t seed = 1; seed <= kSeeds / 10; ++seed) {
      SCOPED_TRACE(testing::Message() << promise.name << ", seed " << seed);
      SimulatedPlan plan = plan_of(seed, promise.name);
      plan.transactions = 6;
      const SimulatedRun run = simulate(plan);
      const oracle::Facts facts = oracle::resolve(run.history);
      for (const LevelReport& report : reports(run.history)) {
        EXPECT_EQ(oracle::brute_force(facts,
                                      *oracle::find_oracle(report.level->name)),
                  report.verdict == Verdict::holds)
            << report.level->name;
      }
    }
  }
}

// Real time as well, which no level here promises.
TEST(Simulated, TheSearchesAgree) {
  int asked = 0, answered = 0;
  for (const Promise& promise : promises()) {
    std::map<std::string_view, std::set<Verdict>> seen;
    for (std::uint64_t seed = 1; seed <= kSeeds / 10; ++seed) {
      SimulatedPlan plan = plan_of(seed, promise.name);
      plan.sessions = 2 + seed % 4;
      plan.timed = true;
      if (seed % 3 == 0) plan.knobs.push_back({"unknown", "10"});
      const SimulatedRun run = simulate(plan);
      const oracle::Facts facts = oracle::resolve(run.history);
      for (const LevelReport& report : reports(run.history)) {
        const oracle::Oracle& slow = *oracle::find_oracle(report.level->name);
        if (!slow.strong()) continue;
        SCOPED_TRACE(testing::Message() << promise.name << ", seed " << seed
                                        << ", " << report.level->name << "\n"
                                        << to_text(run.history));
        seen[report.level->name].insert(report.verdict);
        const bool holds = report.verdict == Verdict::holds;
        std::optional<bool> slowly = oracle::closure_search(facts, slow, 1'000);
        if (!slowly && slow.reads != oracle::Reads::parallel) {
          slowly = oracle::frontier_search(facts, slow, 30'000);
        }
        ASSERT_EQ(slowly.value_or(holds), holds);
        ++asked;
        answered += slowly.has_value();
      }
    }
    // Lag breaks real time now and then, wherever nothing else is broken.
    if (promise.name == "serializable") {
      EXPECT_EQ(seen["serializable"].size(), 1u);
      EXPECT_EQ(seen["strong-snapshot-isolation"].size(), 2u);
    }
  }
  EXPECT_GE(answered, asked * 9 / 10);
}

TEST(Simulated, EqualSeedsGiveEqualRuns) {
  for (const Promise& promise : promises()) {
    const SimulatedPlan plan = plan_of(3, promise.name);
    SimulatedPlan other = plan;
    ++other.seed;
    const std::string text = to_text(simulate(plan).history);
    EXPECT_EQ(text, to_text(simulate(plan).history));
    EXPECT_NE(text, to_text(simulate(other).history));
  }
}

// -- bugs ---------------------------------------------------------------------

SimulatedPlan plan_of(const PlantedBug& bug, std::uint64_t seed,
                      std::string_view level, bool lists) {
  SimulatedPlan plan;
  plan.level = level;
  plan.seed = seed;
  plan.transactions = 400;
  plan.sessions = 6;
  plan.lists = lists;
  plan.knobs = {{"bug", std::string(bug.name)}, {"rate", "30"}};
  return plan;
}

// Whether it was found at its level; fails if it was found at a weaker one, or
// if anything else was. Stronger levels break, of course. Lists also show in
// which order they were appended to: what a store has forgotten contradicts
// that, at any level.
bool finds(const PlantedBug& bug, const SimulatedRun& run) {
  bool found = false;
  for (const LevelReport& report : reports(run.history)) {
    if (!includes(bug.breaks, report.level->name)) continue;
    for (const std::string_view name : names(report)) {
      if (run.history.has_lists() && name == "dependency-cycle") {
        found = true;
        continue;
      }
      if (is_causal_by_another_name(bug, name)) {
        EXPECT_TRUE(report.level->name == bug.breaks ||
                    anomaly(report.level->cycle).name == name)
            << report.level->name << ": " << name;
        found = true;
        continue;
      }
      EXPECT_EQ(report.level->name, bug.breaks);
      EXPECT_TRUE(name == bug.anomaly || name == bug.brings) << name;
      found |= name == bug.anomaly;
    }
  }
  return found;
}

TEST(PlantedBugs, AreFoundByNameAtTheWeakestLevelTheyBreak) {
  const std::uint64_t seeds = by_night() ? 20 : kBugSeeds;
  for (const PlantedBug& bug : planted_bugs()) {
    if (is_strong(bug.breaks)) continue;
    for (const Promise& promise : promises()) {
      if (!includes(promise.name, bug.breaks)) continue;
      for (const bool lists : {false, true}) {
        if (bug.lists && !lists) continue;
        SCOPED_TRACE(testing::Message()
                     << bug.name << " of " << promise.name << " " << lists);
        std::uint64_t found = 0;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
          found +=
              finds(bug, simulate(plan_of(bug, seed, promise.name, lists)));
          ASSERT_FALSE(HasFailure()) << seed;
        }
        EXPECT_GE(found, seeds / 2);
      }
    }
  }
}

// What a cycle of dependencies is called depends on who else is in it: it is
// enough that the name of the row is among them.
TEST(PlantedBugs, OfStrongLevelsAreFoundAndLeaveTheOthersAlone) {
  for (const PlantedBug& bug : planted_bugs()) {
    if (!is_strong(bug.breaks)) continue;
    for (const Promise& promise : promises()) {
      if (!includes(promise.name, bug.breaks)) continue;
      for (const bool lists : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << bug.name << " of " << promise.name << " " << lists);
        std::set<std::string_view> broken, known, called;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
          SimulatedPlan plan = plan_of(bug, seed, promise.name, lists);
          plan.transactions = 200;
          const SimulatedRun run = simulate(plan);
          const oracle::Facts facts = oracle::resolve(run.history);
          const VersionOrder versions = version_order(run);
          for (const LevelReport& report : reports(run.history)) {
            const std::string_view level = report.level->name;
            ASSERT_NE(report.verdict, Verdict::undecided) << level;
            if (report.verdict == Verdict::violated) broken.insert(level);
            if (level == bug.breaks) called.merge(names(report));
            if (!is_strong(level)) continue;
            // If the true order of versions is fine, some order is.
            const bool fine = holds_for(facts, versions, level);
            if (!fine) known.insert(level);
            EXPECT_TRUE(!fine || report.verdict == Verdict::holds) << level;
          }
        }
        // Just the levels that include the one of the row.
        for (const Level& level : levels()) {
          if (!includes(promise.name, level.name)) continue;
          EXPECT_EQ(broken.contains(level.name),
                    includes(level.name, bug.breaks))
              << level.name;
          if (!is_strong(level.name)) continue;
          EXPECT_EQ(known.contains(level.name),
                    includes(level.name, bug.breaks))
              << level.name;
        }
        // Of lists every version is known, and cycles go from one to the next.
        EXPECT_TRUE(called.contains(bug.anomaly) ||
                    (lists && bug.anomaly == "write-skew" &&
                     called.contains("g2-item")))
            << testing::PrintToString(called);
      }
    }
  }
}

TEST(PlantedBugs, AtRateZeroNothingIsBroken) {
  for (const PlantedBug& bug : planted_bugs()) {
    SCOPED_TRACE(bug.name);
    SimulatedPlan plan = plan_of(bug, 1, "serializable", bug.lists);
    plan.knobs.push_back({"rate", "0"});
    const SimulatedRun run = simulate(plan);
    for (const LevelReport& report : reports(run.history)) {
      EXPECT_EQ(report.verdict, Verdict::holds) << report.level->name;
    }
    EXPECT_TRUE(holds_for(oracle::resolve(run.history), version_order(run),
                          "serializable"));
  }
}

TEST(PlantedBugs, NameAnomaliesAndLevels) {
  std::set<std::string_view> seen;
  for (const PlantedBug& bug : planted_bugs()) {
    EXPECT_TRUE(seen.insert(bug.name).second) << bug.name;
    EXPECT_NE(find_row(levels(), bug.breaks), nullptr) << bug.name;
    EXPECT_TRUE(std::any_of(
        anomalies().begin(), anomalies().end(),
        [&](const Anomaly& row) { return row.name == bug.anomaly; }))
        << bug.name;
  }
}

}  // namespace
}  // namespace awdit::property
