// The test power against its definition, counted by brute force on the facts of
// the oracle.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "check/check.h"
#include "history/text.h"
#include "oracle/oracle.h"
#include "property/shapes.h"

namespace awdit::property {
namespace {

#ifdef AWDIT_CHECKED
constexpr std::size_t kHistories = 2'000;
#else
constexpr std::size_t kHistories = 20'000;
#endif

using oracle::Facts;

// The writers of a key, without init.
std::set<std::uint32_t> writers_of(const Facts& facts, std::uint32_t key) {
  const auto found = facts.writers.find(key);
  std::set<std::uint32_t> result;
  if (found != facts.writers.end()) result = found->second;
  result.erase(facts.init);
  return result;
}

Power by_definition(const Facts& facts) {
  // (t3, x, t2)
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>
      non_monotonic, fractured, causal;
  bool cyclic = false;
  for (const std::uint32_t t : facts.live) {
    cyclic |= t != facts.init && facts.past[t].contains(t);
  }
  for (const oracle::Read& read : facts.reads) {
    const std::uint32_t t3 = read.reader;
    const auto session = [&](std::uint32_t t) { return facts.session[t]; };
    for (const oracle::Read& other : facts.reads) {
      const std::uint32_t t2 = other.writer;
      if (other.reader != t3 || t2 == facts.init ||
          !writers_of(facts, read.key).contains(t2)) {
        continue;
      }
      if (other.op < read.op) non_monotonic.insert({t3, read.key, t2});
      if (session(t2) != session(t3)) fractured.insert({t3, read.key, t2});
    }
    std::map<std::uint32_t, std::uint32_t> last_seen;  // session -> t2
    for (const std::uint32_t t2 : writers_of(facts, read.key)) {
      if (facts.past[t3].contains(t2)) {
        std::uint32_t& last =
            last_seen.try_emplace(session(t2), t2).first->second;
        last = std::max(last, t2);
      }
    }
    std::uint32_t before = kNoId;
    for (const std::uint32_t t2 : writers_of(facts, read.key)) {
      if (session(t2) == session(t3) && t2 < t3) before = t2;
    }
    if (before != kNoId) fractured.insert({t3, read.key, before});
    for (const auto& [s, t2] : last_seen) causal.insert({t3, read.key, t2});
  }
  return {.non_monotonic_read = non_monotonic.size(),
          .fractured_read = fractured.size(),
          .causal_violation = cyclic ? 0 : causal.size()};
}

void expect_power(const History& history) {
  const Facts facts = oracle::resolve(history);
  for (const unsigned threads : {1u, 3u}) {
    const Result<Power> found = power(history, threads);
    ASSERT_EQ(found.has_value(), !facts.malformed);
    if (!found) return;
    const Power expected = by_definition(facts);
    EXPECT_EQ(found->non_monotonic_read, expected.non_monotonic_read);
    EXPECT_EQ(found->fractured_read, expected.fractured_read);
    EXPECT_EQ(found->causal_violation, expected.causal_violation);
  }
}

TEST(Power, IsWhatItsDefinitionSaysOnRandomHistories) {
  std::uint64_t seed = 0;
  for (const Shape& shape : shapes()) {
    const std::size_t count = share_of(shape, kHistories);
    for (std::size_t i = 0; i < count; ++i) {
      Random random(++seed);
      const int txns = static_cast<int>(2 + random() % (i % 8 == 7 ? 40 : 8));
      const Script script = generate(shape, txns, random);
      expect_power(to_history(script));
      ASSERT_FALSE(HasFailure()) << shape.name << ", seed " << seed << "\n"
                                 << to_notation(script);
    }
  }
}

Power power_of(std::string_view text) {
  const Result<History> history = parse_text(text);
  EXPECT_TRUE(history);
  const Result<Power> found = power(*history, 1);
  EXPECT_TRUE(found);
  return *found;
}

TEST(Power, CountsReadersWhoCouldHaveSeenMore) {
  const Power one = power_of(
      "s1: W(x,1) W(y,1)\n"
      "s2: R(x,1) R(y,1)");
  EXPECT_EQ(one.non_monotonic_read, 1u);  // y, after t1 was seen through x
  EXPECT_EQ(one.fractured_read, 2u);
  EXPECT_EQ(one.causal_violation, 2u);
  const Power none = power_of(
      "s1: W(x,1)\n"
      "s2: R(y,0) R(z,0)");
  EXPECT_EQ(none.non_monotonic_read, 0u);
  EXPECT_EQ(none.fractured_read, 0u);
  EXPECT_EQ(none.causal_violation, 0u);
}

TEST(Power, OfASessionOnlyTheLastWriterCounts) {
  const Power session = power_of("s1: W(x,1) | W(x,2) | R(x,2)");
  EXPECT_EQ(session.non_monotonic_read, 0u);
  EXPECT_EQ(session.fractured_read, 1u);
  EXPECT_EQ(session.causal_violation, 1u);
}

TEST(Power, IsUnknownWhereAValueIsWrittenTwice) {
  const Result<History> history = parse_text("s1: W(x,1) | W(x,1)");
  ASSERT_TRUE(history);
  EXPECT_FALSE(power(*history, 1));
}

}  // namespace
}  // namespace awdit::property
