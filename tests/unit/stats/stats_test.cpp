#include "stats/stats.h"

#include <gtest/gtest.h>

#include "history/builder.h"
#include "history/text.h"

namespace awdit {
namespace {

Stats of(std::string_view text) {
  const Result<History> history = parse_text(text);
  EXPECT_TRUE(history);
  return statistics(*history, 2);
}

TEST(Stats, CountsTransactionsByOutcomeAndOperationsByKind) {
  const Stats stats =
      of("s1: W(x,1) R(y,0) | W(x,2)! | R(x,1)?\n"
         "s2: R(x,1) R(x,1) R(z,0)");
  EXPECT_EQ(stats.committed, 2u);
  EXPECT_EQ(stats.aborted, 1u);
  EXPECT_EQ(stats.unknown, 1u);
  EXPECT_EQ(stats.reads, 5u);
  EXPECT_EQ(stats.writes, 2u);
  EXPECT_EQ(stats.initial_reads, 2u);
}

TEST(Stats, AnInitialValueThatSomebodyWritesIsNotInitial) {
  const Stats stats = of("s1: W(x,0) R(x,0) R(y,0)");
  EXPECT_EQ(stats.initial_reads, 1u);
}

TEST(Stats, RepeatedWritesAreCountedAndFailNothing) {
  const Stats stats =
      of("s1: W(x,1) | W(x,1) | W(x,1)! | W(y,1)\n"
         "s2: W(x,1)? | W(y,2) W(y,2) R(x,1)");
  EXPECT_EQ(stats.repeated_writes, 3u);
  ASSERT_FALSE(stats.power);
  EXPECT_NE(stats.power.error().message.find("twice"), std::string::npos);
  EXPECT_EQ(of("s1: W(x,1) | W(x,1)!").repeated_writes, 0u);
}

TEST(Stats, SpreadsHaveEndsMedianAndBuckets) {
  const Stats stats =
      of("s1: W(x,1) | W(x,2) R(x,2) | W(x,3) R(x,3) R(x,3)\n"
         "s2: R(y,0) R(y,0) R(y,0) R(y,0) R(y,0) R(y,0) R(y,0) R(y,0)");
  EXPECT_EQ(stats.txn_ops.count, 4u);
  EXPECT_EQ(stats.txn_ops.total, 14u);
  EXPECT_EQ(stats.txn_ops.least, 1u);
  EXPECT_EQ(stats.txn_ops.median, 2u);
  EXPECT_EQ(stats.txn_ops.most, 8u);
  EXPECT_EQ(stats.txn_ops.buckets, (std::vector<std::uint64_t>{0, 1, 2, 0, 1}));
  EXPECT_EQ(stats.key_ops.most, 8u);
  EXPECT_EQ(stats.session_txns.least, 1u);
  EXPECT_EQ(stats.session_txns.most, 3u);
  EXPECT_FALSE(stats.list_sizes);
}

TEST(Stats, BucketsAreOfPowersOfTwo) {
  EXPECT_EQ(bucket_first(0), 0u);
  EXPECT_EQ(bucket_last(0), 0u);
  EXPECT_EQ(bucket_first(1), 1u);
  EXPECT_EQ(bucket_last(1), 1u);
  EXPECT_EQ(bucket_first(4), 8u);
  EXPECT_EQ(bucket_last(4), 15u);
  EXPECT_EQ(bucket_last(64), UINT64_MAX);
}

TEST(Stats, ListsHaveLengths) {
  const Stats stats = of("s1: A(x,1) A(x,2) R(x,[1 2])\ns2: R(x,[])");
  ASSERT_TRUE(stats.list_sizes);
  EXPECT_EQ(stats.list_sizes->count, 2u);
  EXPECT_EQ(stats.list_sizes->least, 0u);
  EXPECT_EQ(stats.list_sizes->most, 2u);
  EXPECT_EQ(stats.initial_reads, 1u);
}

TEST(Stats, TimeSpansWhatIsKnown) {
  Builder builder(
      {.initial_value = Atom::integer(0), .clock = Clock::milliseconds});
  Builder::Shard& shard = builder.add_shard();
  shard.select(Atom::integer(1), 1);
  shard.times(-5, 20);
  shard.select(Atom::integer(1), 2);
  shard.times(30, kNoTime);
  shard.select(Atom::integer(1), 3);
  shard.write(Atom::integer(1), Atom::integer(1));
  const Result<History> history = builder.finish(1);
  ASSERT_TRUE(history);
  const Stats stats = statistics(*history, 1);
  ASSERT_TRUE(stats.time);
  EXPECT_EQ(stats.time->first, -5);
  EXPECT_EQ(stats.time->last, 30);
  EXPECT_EQ(stats.time->transactions, 2u);
  EXPECT_EQ(stats.time->clock, Clock::milliseconds);
}

TEST(Stats, AnEmptyHistoryHasNothing) {
  const Result<History> history =
      Builder({.initial_value = Atom::integer(0)}).finish(1);
  ASSERT_TRUE(history);
  const Stats stats = statistics(*history, 2);
  EXPECT_EQ(stats.txn_ops.count, 0u);
  EXPECT_TRUE(stats.power);
}

TEST(Judgement, FollowsTheRuleOfThree) {
  EXPECT_EQ(judge(0), Judgement::none);
  EXPECT_EQ(judge(1), Judgement::weak);
  EXPECT_EQ(judge(299), Judgement::weak);
  EXPECT_EQ(judge(300), Judgement::fair);
  EXPECT_EQ(judge(29'999), Judgement::fair);
  EXPECT_EQ(judge(30'000), Judgement::strong);
}

}  // namespace
}  // namespace awdit
