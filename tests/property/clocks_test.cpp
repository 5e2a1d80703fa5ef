// Times of several machines: what is compared across clocks is true.
//
// A history is made with one clock. Then its sessions are dealt to machines
// whose clocks differ, and some clocks are related with an error that includes
// the truth. Whatever the strict levels then find, the one true clock must show
// as well; and if all clocks are related exactly, nothing is lost either.
#include <gtest/gtest.h>

#include <algorithm>

#include "check/check.h"
#include "property/judge.h"
#include "property/shapes.h"

namespace awdit::property {
namespace {

std::vector<Verdict> strict_verdicts(const Script& script) {
  const History history = to_history(script);
  std::vector<const Level*> asked;
  for (const Level& level : levels()) {
    if (level.real_time) asked.push_back(&level);
  }
  const Result<Report> report = check(history, asked, {});
  if (!report) return {};
  std::vector<Verdict> verdicts;
  for (const LevelReport& level : report->levels) {
    verdicts.push_back(level.verdict);
  }
  return verdicts;
}

struct Tally {
  std::size_t compared = 0, lost = 0, violated = 0;
};

void compare(const Script& truth, const Script& divided, bool exact,
             Tally& tally) {
  const std::vector<Verdict> one = strict_verdicts(truth);
  const std::vector<Verdict> several = strict_verdicts(divided);
  ASSERT_EQ(one.size(), several.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    ++tally.compared;
    tally.lost += one[i] != several[i] ? 1 : 0;
    tally.violated += several[i] == Verdict::violated ? 1 : 0;
    if (several[i] == Verdict::violated || exact) {
      ASSERT_EQ(one[i], several[i]) << "truth:\n"
                                    << to_notation(truth) << "divided:\n"
                                    << to_notation(divided);
    }
  }
}

TEST(ClockDomains, NoViolationRestsOnComparingDifferentClocks) {
  // So many that each of what is counted below comes up.
  const std::size_t count =
      std::max<std::size_t>(random_histories() / 20, 3000);
  Tally some, exact;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    Random random(seed + 77'000'000'000);
    const Shape& shape = shapes()[random() % shapes().size()];
    Script truth = generate(shape, static_cast<int>(3 + random() % 12), random);
    if (!truth.timed || truth.clocks != 1) continue;
    Script divided = truth;
    divide_clocks(divided, random);
    compare(truth, divided, false, some);
    // The same clocks, all of them held against the first without an error.
    Script known = divided;
    known.relations.clear();
    const auto ahead = [&](int clock) {
      for (std::size_t t = 0; t < truth.txns.size(); ++t) {
        const History::Times& was = truth.txns[t].times;
        const History::Times& is = divided.txns[t].times;
        if (divided.txns[t].clock != clock) continue;
        if (was.begin != kNoTime) return is.begin - was.begin;
        if (was.end != kNoTime) return is.end - was.end;
      }
      return std::int64_t{0};  // nobody looked at it
    };
    for (int clock = 1; clock < divided.clocks; ++clock) {
      known.relations.push_back({0, clock, ahead(clock) - ahead(0), 0});
    }
    compare(truth, known, true, exact);
    if (HasFatalFailure()) return;
  }
  // It does find something, and does lose something.
  EXPECT_GT(some.violated, count / 50);
  EXPECT_GT(some.lost, 0u);
  EXPECT_EQ(exact.lost, 0u);
}

}  // namespace
}  // namespace awdit::property
