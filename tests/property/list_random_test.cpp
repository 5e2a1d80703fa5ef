// Small random histories of lists: the checker agrees with the oracles at every
// level, its evidence is accepted, wrong evidence is not. Both verdicts are
// frequent at every level, and every finding occurs.
//
// AWDIT_RANDOM_HISTORIES sets how many there are (200,000 unless told).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "check/check.h"
#include "oracle/oracle.h"
#include "property/judge.h"
#include "property/small_lists.h"

namespace awdit::property {
namespace {

struct Tally {
  std::size_t histories = 0;  // that are sound enough for a verdict
  std::size_t own_reads = 0, promoted = 0, unordered = 0;
  std::map<std::string_view, std::size_t> held, violated;  // level ->
  // level -> violated, though one that it implies at once holds
  std::map<std::string_view, std::size_t> told_apart;
  std::map<Kind, std::size_t> kinds;  // histories that have it
};

// By saturation, which is quicker than brute force; above causal the checker is
// believed, since it was judged.
void count(const Script& script, Tally& tally) {
  const History history = to_history(script);
  const oracle::Facts facts = oracle::resolve(history);
  if (facts.malformed) return;
  ++tally.histories;
  tally.promoted += !facts.promoted.empty();
  tally.unordered += !script.session_order;
  bool own = false;
  for (std::uint32_t t : facts.live) {
    for (const oracle::ListRead& read : facts.list_reads[t]) {
      own |= !read.own.empty();
    }
  }
  tally.own_reads += own;
  std::set<Kind> kinds;
  std::set<std::string_view> held;
  for (const oracle::Oracle& row : oracle::oracles()) {
    if (row.real_time && !script.timed) continue;
    bool holds = false;
    if (row.strong()) {
      holds = oracle::brute_force(facts, row);
    } else {
      const oracle::Findings findings = oracle::saturate(facts, row);
      for (const oracle::Finding& finding : findings) {
        kinds.insert(finding.first);
      }
      holds = findings.empty();
    }
    ++(holds ? tally.held : tally.violated)[row.level];
    if (holds) held.insert(row.level);
  }
  for (const Level& level : levels()) {
    if (held.contains(level.name)) continue;
    if (oracle::find_oracle(level.name)->real_time && !script.timed) continue;
    tally.told_apart[level.name] += std::any_of(
        level.implies.begin(), level.implies.end(),
        [&](std::string_view weaker) { return held.contains(weaker); });
  }
  for (Kind kind : kinds) ++tally.kinds[kind];
}

class SmallLists : public ::testing::TestWithParam<std::uint64_t> {};

constexpr std::uint64_t kParts = 4;

TEST_P(SmallLists, AgreeWithTheOracles) {
  const std::size_t histories = random_histories() / kParts;
  for (std::uint64_t i = 0; i < histories; ++i) {
    const std::uint64_t seed = GetParam() * 1'000'000'000 + i;
    Random random(seed);
    const int txns = 2 + static_cast<int>(random() % 5);
    const Scrutiny scrutiny{.brute_force = true,
                            .forgeries = i % 16 == 1,
                            .certificate = i % 16 == 2,
                            .renaming = i % 16 == 3,
                            .options = i % 64 == 4,
                            .core = i % 32 == 5};
    const std::optional<std::string> wrong =
        explained_complaint(small_list_history(txns, random), scrutiny, seed);
    ASSERT_FALSE(wrong) << *wrong;
  }
}

// What the histories above are like, by a part of them.
TEST(SmallListHistories, AreOfAllKinds) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    Random random(seed);
    const int txns = 2 + static_cast<int>(random() % 5);
    count(small_list_history(txns, random), tally);
  }
  const std::size_t all = tally.histories;
  EXPECT_GE(all, 9'500u);
  EXPECT_GE(tally.own_reads * 3, all);
  EXPECT_GE(tally.unordered * 5, all);
  EXPECT_GE(tally.promoted * 30, all);
  for (const oracle::Oracle& row : oracle::oracles()) {
    RecordProperty(std::string(row.level),
                   std::to_string(tally.held[row.level]) + " hold, " +
                       std::to_string(tally.violated[row.level]) + " do not, " +
                       std::to_string(tally.told_apart[row.level]) +
                       " though one below holds");
    EXPECT_GE(tally.held[row.level] * 10, all) << row.level;
    EXPECT_GE(tally.violated[row.level] * 10, all) << row.level;
    if (row.level != "adya-read-committed") {
      EXPECT_GE(tally.told_apart[row.level] * 1'000, all) << row.level;
    }
  }
  for (const Kind kind :
       {Kind::thin_air_read, Kind::aborted_read, Kind::future_read,
        Kind::own_write_ignored, Kind::stale_own_write, Kind::intermediate_read,
        Kind::duplicate_element, Kind::incompatible_order,
        Kind::non_repeatable_read, Kind::causality_cycle,
        Kind::dependency_cycle, Kind::non_monotonic_read, Kind::fractured_read,
        Kind::causal_violation}) {
    const std::string name(anomaly(kind).name);
    RecordProperty(name, static_cast<int>(tally.kinds[kind]));
    EXPECT_GE(tally.kinds[kind] * 1'000, all) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, SmallLists,
                         ::testing::Range(std::uint64_t{0}, kParts));

}  // namespace
}  // namespace awdit::property
