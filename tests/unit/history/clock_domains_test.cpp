#include "history/clock_domains.h"

#include <gtest/gtest.h>

#include "history/builder.h"
#include "history/history.h"

namespace awdit {
namespace {

using Relation = ClockDomains::Relation;

std::optional<ClockDomains> make(std::size_t size,
                                 std::vector<Relation> relations) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < size; ++i)
    names.push_back("d" + std::to_string(i));
  return ClockDomains::make(std::move(names), std::move(relations));
}

TEST(ClockDomains, WithoutARelationNothingIsCompared) {
  const ClockDomains domains = *make(2, {});
  EXPECT_FALSE(domains.related(0, 1));
  EXPECT_TRUE(domains.related(1, 1));
  EXPECT_FALSE(domains.ended_before(0, 1, 1, 1000000));
}

// end(u) + offset + error < begin(v), and with -offset the other way round.
TEST(ClockDomains, OffsetAndErrorCount) {
  const ClockDomains domains = *make(2, {{0, 1, 100, 5}});
  EXPECT_FALSE(domains.ended_before(0, 10, 1, 115));
  EXPECT_TRUE(domains.ended_before(0, 10, 1, 116));
  EXPECT_FALSE(domains.ended_before(1, 110, 0, 15));
  EXPECT_TRUE(domains.ended_before(1, 110, 0, 16));
  EXPECT_EQ(domains.shift(1), -100);
}

TEST(ClockDomains, RelationsAddUp) {
  const ClockDomains domains =
      *make(4, {{1, 0, -100, 5}, {1, 2, 10, 1}});  // 0 is 100 behind 1
  EXPECT_FALSE(domains.ended_before(0, 0, 2, 116));
  EXPECT_TRUE(domains.ended_before(0, 0, 2, 117));
  EXPECT_TRUE(domains.ended_before(2, 110, 0, 7));
  EXPECT_FALSE(domains.ended_before(2, 110, 0, 6));
  EXPECT_FALSE(domains.related(3, 0));
}

TEST(ClockDomains, TheBestBoundOfSeveralCounts) {
  const ClockDomains domains = *make(2, {{0, 1, 100, 50}, {0, 1, 130, 10}});
  EXPECT_TRUE(domains.ended_before(0, 0, 1, 141));
  EXPECT_TRUE(domains.ended_before(1, 120, 0, 1));
  EXPECT_FALSE(domains.ended_before(1, 120, 0, 0));
}

TEST(ClockDomains, ContradictionsAreNoticed) {
  EXPECT_FALSE(make(2, {{0, 1, 100, 5}, {0, 1, 120, 5}}));
  EXPECT_TRUE(make(2, {{0, 1, 100, 10}, {0, 1, 120, 10}}));
  EXPECT_FALSE(make(3, {{0, 1, 5, 0}, {1, 2, 5, 0}, {0, 2, 11, 0}}));
  EXPECT_TRUE(make(3, {{0, 1, 5, 0}, {1, 2, 5, 0}, {0, 2, 11, 1}}));
}

TEST(ClockDomains, FarClocksDoNotOverflow) {
  constexpr std::int64_t kFar = ClockDomains::kFarthest;
  std::vector<Relation> relations;
  for (std::uint32_t i = 0; i < 9; ++i) {
    relations.push_back({i, i + 1, kFar, kFar});
  }
  const ClockDomains domains = *make(10, relations);
  EXPECT_FALSE(domains.ended_before(0, 0, 9, INT64_MAX));
  EXPECT_FALSE(domains.ended_before(0, INT64_MAX, 1, INT64_MAX));
  const ClockDomains near = *make(2, {{0, 1, -kFar, 0}});
  EXPECT_TRUE(near.ended_before(0, INT64_MIN + 1, 1, INT64_MIN + 2));
}

TEST(ClockDomains, AHistoryHasThem) {
  Builder builder({.initial_value = Atom::nil(), .clock = Clock::nanoseconds});
  builder.relate_clocks("a", "b", 100, 5);
  Builder::Shard& shard = builder.add_shard();
  const auto add = [&](std::int64_t id, std::string_view domain,
                       std::int64_t begin, std::int64_t end) {
    shard.select(Atom::integer(id), id);
    if (!domain.empty()) shard.clock_domain(builder.string(domain));
    shard.times(begin, end);
  };
  add(0, "a", 0, 10);
  add(1, "b", 116, 120);
  add(2, "b", 115, 120);
  add(3, "c", 500, 600);
  add(4, "", 500, 600);
  const Result<History> history = builder.finish(1);
  ASSERT_TRUE(history);
  EXPECT_FALSE(history->has_one_clock());
  EXPECT_TRUE(history->ended_before(TxnId(0), TxnId(1)));
  EXPECT_FALSE(history->ended_before(TxnId(0), TxnId(2)));
  EXPECT_FALSE(history->ended_before(TxnId(0), TxnId(3)));
  EXPECT_FALSE(history->ended_before(TxnId(0), TxnId(4)));
  ASSERT_EQ(history->warnings().size(), 1u);
  EXPECT_EQ(history->warnings()[0],
            "nothing relates the clocks of a and c (nor those of 4 more "
            "pairs): their times are not compared, and levels about real time "
            "demand nothing between their transactions.");
}

}  // namespace
}  // namespace awdit
