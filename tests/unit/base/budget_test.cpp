#include "base/budget.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "base/memory.h"

namespace awdit {
namespace {

// What asking says: nothing, or what is used up.
std::optional<UsedUp::What> asked(const Budget& budget) {
  try {
    budget.ask();
  } catch (const UsedUp& used_up) {
    return used_up.what;
  }
  return std::nullopt;
}

TEST(Budget, WithoutLimitsLastsForever) {
  const Budget budget(0, 0, 0);
  for (int i = 0; i < 1000; ++i) budget.ask();
  budget.need(~std::uint64_t{0});
  EXPECT_GT(budget.seconds_left(), 1e6);
}

TEST(Budget, IsUsedUpOnceTheTimeIsOver) {
  const Budget budget(1e-9, 0, 0);
  EXPECT_EQ(asked(budget), UsedUp::What::time);
  EXPECT_EQ(asked(budget), UsedUp::What::time);
  EXPECT_EQ(budget.seconds_left(), 0);
  const Budget patient(3600, 0, 0);
  EXPECT_EQ(asked(patient), std::nullopt);
  EXPECT_GT(patient.seconds_left(), 3000);
}

TEST(Budget, IsUsedUpOnceNobodyIsInterested) {
  Work work;
  const Budget budget(0, 0, 0, &work);
  EXPECT_EQ(asked(budget), std::nullopt);
  work.cancelled.store(true);
  EXPECT_EQ(asked(budget), UsedUp::What::interest);
  EXPECT_EQ(budget.seconds_left(), 0);
}

TEST(Budget, SaysWhatWouldBeTooMuch) {
  const Budget budget(0, 1000, memory_in_use());
  budget.need(1000);
  EXPECT_THROW(budget.need(1001), UsedUp);
  EXPECT_EQ(asked(budget), std::nullopt);  // nothing was taken
}

TEST(Budget, SeesWhatTheProcessGrowsBy) {
  constexpr std::size_t kMuch = std::size_t{200} << 20;
  const Budget budget(0, 1 << 20, memory_in_use());
  EXPECT_EQ(asked(budget), std::nullopt);
  const std::vector<char> much(kMuch, 1);
  std::optional<UsedUp::What> found;
  // It looks every few milliseconds only.
  while (!found) found = asked(budget);
  EXPECT_EQ(found, UsedUp::What::memory);
  EXPECT_EQ(much[kMuch / 2], 1);
}

TEST(Budget, OfQuestions) {
  const Budget budget(Budget::Questions{3});
  budget.ask();
  budget.ask();
  EXPECT_EQ(asked(budget), UsedUp::What::time);
  EXPECT_EQ(asked(budget), UsedUp::What::time);
}

TEST(Pace, AsksOnceInAWhile) {
  const Budget budget(Budget::Questions{2});
  Pace pace(budget);
  std::uint64_t steps = 0;
  try {
    for (;; ++steps) pace.step();
  } catch (const UsedUp&) {
  }
  EXPECT_GT(steps, 1000u);
  EXPECT_LT(steps, 1'000'000u);
  Pace other(budget);
  EXPECT_THROW(other.step(1'000'000), UsedUp);
}

}  // namespace
}  // namespace awdit
