// Exit codes are promised to scripts. No level built so far is ever undecided,
// so code 3 is seen here only.
#include <gtest/gtest.h>

#include <vector>

#include "cli/check.h"

namespace awdit::cli {
namespace {

Exit exit_for(std::vector<Verdict> verdicts) {
  Report report;
  for (const Verdict verdict : verdicts) {
    report.levels.emplace_back().verdict = verdict;
  }
  return exit_of(report);
}

TEST(Exit, IsTheWorstVerdictAsked) {
  using enum Verdict;
  EXPECT_EQ(exit_for({holds, holds}), Exit::ok);
  EXPECT_EQ(exit_for({holds, undecided}), Exit::undecided);
  EXPECT_EQ(exit_for({undecided, violated}), Exit::violated);
  EXPECT_EQ(exit_for({violated, holds}), Exit::violated);
}

TEST(Exit, OfSeveralHistoriesIsErrorThenViolatedThenUndecidedThenOk) {
  const Exit order[] = {Exit::error, Exit::violated, Exit::undecided, Exit::ok};
  for (int i = 0; i < 4; ++i) {
    for (int j = i; j < 4; ++j) {
      EXPECT_EQ(worse(order[i], order[j]), order[i]);
      EXPECT_EQ(worse(order[j], order[i]), order[i]);
    }
  }
}

TEST(Exit, NumbersAreThoseOfTheDocuments) {
  EXPECT_EQ(static_cast<int>(Exit::ok), 0);
  EXPECT_EQ(static_cast<int>(Exit::violated), 1);
  EXPECT_EQ(static_cast<int>(Exit::error), 2);
  EXPECT_EQ(static_cast<int>(Exit::undecided), 3);
}

}  // namespace
}  // namespace awdit::cli
