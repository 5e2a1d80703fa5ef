// Checks that nobody wants any more, and others beside them that somebody does.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "check/check.h"
#include "history/builder.h"

namespace awdit {
namespace {

// Sessions that read each other's keys in turns: something to do for all
// levels.
History some_history(std::int64_t rounds) {
  constexpr std::int64_t kSessions = 8;
  Builder builder({.initial_value = Atom::nil()});
  Builder::Shard& shard = builder.add_shard();
  for (std::int64_t round = 1; round <= rounds; ++round) {
    for (std::int64_t s = 0; s < kSessions; ++s) {
      shard.select(Atom::integer(s), round);
      if (round > 1) {
        shard.read(Atom::integer((s + round) % kSessions),
                   Atom::integer(round - 1));
      }
      shard.write(Atom::integer(s), Atom::integer(round));
    }
  }
  Result<History> history = builder.finish(1);
  EXPECT_TRUE(history.has_value());
  return std::move(*history);
}

Result<Report> check_all(const History& history, Work* work) {
  return check(history, applicable_levels(history),
               {.threads = 2, .grain = 16, .work = work});
}

TEST(Cancelled, ACheckSaysSo) {
  const History history = some_history(10);
  Work work;
  work.cancelled.store(true);
  const Result<Report> report = check_all(history, &work);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().message, "the check was cancelled");
}

TEST(Cancelled, AFlagMayBeShared) {
  const History history = some_history(10);
  const std::atomic<bool> all{true};
  Work work;
  work.all_cancelled = &all;
  EXPECT_FALSE(check_all(history, &work).has_value());
}

TEST(Cancelled, AnotherCheckDoesNotHearOfIt) {
  const History history = some_history(200);
  std::atomic<bool> flag{false}, stop{false};
  std::atomic<int> cancelled{0};
  std::thread other([&] {
    for (int i = 0; !stop.load(); ++i) {
      Work work;
      work.all_cancelled = &flag;
      flag.store(i % 2 != 0);
      if (!check_all(history, &work)) ++cancelled;
    }
  });
  for (int i = 0; i < 5; ++i) {
    Work work;
    const Result<Report> report = check_all(history, &work);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->levels.front().verdict, Verdict::holds);
    EXPECT_NE(work.at.load(), nullptr);
  }
  while (cancelled.load() == 0) std::this_thread::yield();
  stop.store(true);
  other.join();
}

}  // namespace
}  // namespace awdit
