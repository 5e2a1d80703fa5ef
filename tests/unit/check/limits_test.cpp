// Levels that were given up: what they say, and what stays of the others.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/table.h"
#include "check/check.h"
#include "history/text.h"

namespace awdit {
namespace {

History history_of(const std::string& text) {
  Result<History> history = parse_text(text);
  EXPECT_TRUE(history.has_value());
  return std::move(*history);
}

// Two writers of x that nothing orders, and readers that disagree with any
// guess at first sight: every level from read-atomic on has something to do.
History some_work() {
  return history_of(
      "s1: W(x,1) W(y,1)\n"
      "s2: W(x,2) W(y,2)\n"
      "s3: R(x,2)\n"
      "s4: R(x,1)\n"
      "s5: R(y,1) R(x,1)\n");
}

Report checked(const History& history, const Options& options) {
  Result<Report> report = check(history, applicable_levels(history), options);
  EXPECT_TRUE(report.has_value());
  return std::move(*report);
}

const LevelReport& of(const Report& report, std::string_view name) {
  for (const LevelReport& level : report.levels) {
    if (level.level->name == name) return level;
  }
  ADD_FAILURE() << name;
  return report.levels.front();
}

TEST(Limits, TimeIsNamedAtEveryLevelThatNeedsIt) {
  const History history = some_work();
  ASSERT_EQ(of(checked(history, {}), "serializable").verdict, Verdict::holds);
  const Report report = checked(history, {.time_limit = 1e-9});
  // Nothing is to be inferred for it.
  EXPECT_EQ(of(report, "adya-read-committed").verdict, Verdict::holds);
  for (const std::string_view name :
       {"causal", "prefix", "snapshot-isolation", "serializable"}) {
    EXPECT_EQ(of(report, name).verdict, Verdict::undecided) << name;
    EXPECT_EQ(of(report, name).limit, Limit::time) << name;
    EXPECT_TRUE(of(report, name).commit_order.empty()) << name;
  }
}

TEST(Limits, SoIsMemory) {
  const History history = some_work();
  const Report report = checked(history, {.memory_limit = 1});
  for (const std::string_view name : {"prefix", "serializable"}) {
    EXPECT_EQ(of(report, name).verdict, Verdict::undecided) << name;
    EXPECT_EQ(of(report, name).limit, Limit::memory) << name;
  }
  const Report all = checked(history, {.memory_in_all = 8});
  EXPECT_EQ(of(all, "serializable").limit, Limit::memory);
}

TEST(Limits, MemoryIsJustifiedByOperationsAndElements) {
  const History none = history_of("");
  const History some = history_of("s1: A(x,1) A(x,2)\ns2: R(x,[1 2])\n");
  EXPECT_EQ(justified_memory(none), 1'000'000'000u);
  EXPECT_EQ(justified_memory(some), 1'000'005'000u);
  const Report report = checked(some_work(), {.memory_by_size = true});
  EXPECT_EQ(of(report, "serializable").verdict, Verdict::holds);
}

TEST(Limits, WhatWasFoundBeforeStays) {
  // A finding is known before the clock is asked.
  const History history = history_of(
      "s1: W(x,1) W(y,1)\n"
      "s2: W(x,2) W(y,2)\n"
      "s3: R(x,2)\n"
      "s4: R(x,1)\n"
      "s5: R(y,1) R(x,1) R(x,7)\n");
  const Report report = checked(history, {.time_limit = 1e-9});
  for (const LevelReport& level : report.levels) {
    EXPECT_EQ(level.verdict, Verdict::violated) << level.level->name;
    EXPECT_EQ(level.limit, Limit::none);
    ASSERT_FALSE(level.violations.empty());
    EXPECT_EQ(level.violations[0].kind, Kind::thin_air_read);
  }
}

TEST(Limits, ALevelAboveThatHoldsProvesTheOthers) {
  // Serial as it stands: no level takes any time.
  const History history = history_of("s1: W(x,1)\ns2: R(x,1) W(x,2)\n");
  for (const LevelReport& level :
       checked(history, {.time_limit = 1e-9, .memory_limit = 1}).levels) {
    EXPECT_EQ(level.verdict, Verdict::holds) << level.level->name;
  }
}

TEST(Limits, AreNoneUnlessTheyAreReached) {
  const Report report =
      checked(some_work(), {.time_limit = 3600,
                            .memory_limit = std::uint64_t{1} << 40,
                            .memory_in_all = std::uint64_t{1} << 40});
  for (const LevelReport& level : report.levels) {
    EXPECT_EQ(level.verdict, Verdict::holds) << level.level->name;
    EXPECT_EQ(level.limit, Limit::none);
  }
}

}  // namespace
}  // namespace awdit
