// The parts that a page's value is made of; tests/page looks at the whole.
#include "report/page.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "history/text.h"
#include "report/page_quotes.h"
#include "report/page_text.h"
#include "report/page_versions.h"

namespace awdit {
namespace {

TEST(PageText, LongTextsSayHowLongTheyAre) {
  EXPECT_EQ(cut("abc", 3), "abc");
  EXPECT_EQ(cut("abcd", 3), "abc… (4 characters)");
  EXPECT_EQ(cut("äöüß", 3), "äöü… (4 characters)");
  EXPECT_EQ(cut("a\x1b[31m", 9), "a\\x1b[31m");
}

TEST(PageText, NamesKeepTheirEnds) {
  EXPECT_EQ(cut_name("s3.7"), "s3.7");
  const std::string name = cut_name(std::string(5000, 'a') + ".7");
  EXPECT_LT(name.size(), 80u);
  EXPECT_EQ(name.substr(name.size() - 3), "a.7");
}

TEST(PageText, WhatFollowsALongQuotationIsNotLost) {
  const std::string key(300, 'k');
  const Result<History> history = parse_text("s1: W(" + key + ",1)");
  ASSERT_TRUE(history.has_value());
  Shortener shorten;
  shorten.add(*history, OpId(0));
  const std::string text = shorten("t1 wrote " + key + "=1 and aborted.");
  EXPECT_EQ(text, "t1 wrote " + key.substr(0, 40) +
                      "… (300 characters)=1 and aborted.");
}

TEST(PageQuotes, TheLongestThatBeginsAtAPlaceIsReplaced) {
  const std::string a(100, 'a');
  Quotes quotes;
  quotes.add(a, "A");
  quotes.add(a + a, "AA");
  quotes.add(a + a, "known already");
  quotes.add(a + "b", "AB");
  EXPECT_EQ(quotes.replaced("x=" + a + "b, y=" + a + ", z=" + a + a + "b."),
            "x=AB, y=A, z=AAb.");
  EXPECT_EQ(quotes.replaced(a.substr(1)), a.substr(1));
  EXPECT_EQ(quotes.replaced("short"), "short");
  EXPECT_EQ(quotes.replaced(""), "");
}

TEST(PageQuotes, ZeroBytesCount) {
  Quotes quotes;
  quotes.add(std::string(61, '\0'), "0");
  quotes.add(std::string(62, '\0'), "00");
  EXPECT_EQ(quotes.replaced(std::string(62, '\0')), "00");
  EXPECT_EQ(quotes.replaced(std::string(61, '\0')), "0");
}

// The bytes looked at when a sentence quotes keys that differ at their end, one
// of which is not known: such a one is walked through byte by byte.
std::uint64_t steps_for(std::size_t size) {
  const std::string common(size, 'k');
  Quotes quotes;
  for (const char c : {'a', 'b', 'c', 'd'}) quotes.add(common + c, {c});
  const std::string text =
      quotes.replaced("t1 wrote " + common + "a=1 and " + common + "e=1, not " +
                      common + "d=1.");
  EXPECT_EQ(text, "t1 wrote a=1 and " + common + "e=1, not d=1.");
  return quotes.steps();
}

TEST(PageQuotes, CostTwiceAsMuchInKeysTwiceAsLong) {
  const std::uint64_t once = steps_for(50'000);
  EXPECT_LE(once, 20u * 4u * 50'000u);
  EXPECT_LE(steps_for(100'000), once * 5 / 2);
}

TEST(PageVersions, OnlyThoseAroundTheNamedOnesAreKept) {
  std::string notation = "s1:";
  for (int i = 1; i <= 1000; ++i) {
    notation += (i == 1 ? " W(x," : " | W(x,") + std::to_string(i) + ")";
  }
  // Read before it is written, as far as the input goes; twice by one reader.
  const Result<History> history =
      parse_text("s2: R(x,500) R(x,500) | R(x,500) | R(x,0)\n" + notation);
  ASSERT_TRUE(history.has_value());
  OpId named;
  for (std::uint32_t op = 0; op < history->num_ops(); ++op) {
    if (history->is_write(OpId(op)) &&
        history->value(OpId(op)) == Atom::integer(500)) {
      named = OpId(op);
    }
  }
  const auto found = versions_of(*history, {{named}});
  ASSERT_EQ(found.size(), 1u);
  const KeyVersions& x = found.begin()->second;
  EXPECT_EQ(x.total, 1000u);
  EXPECT_TRUE(x.has_initial);
  std::string numbers;
  for (const Version& version : x.versions) {
    numbers += " " + std::to_string(version.number) + ":" +
               std::to_string(version.num_readers);
  }
  EXPECT_EQ(numbers, " 0:1 1:0 2:0 498:0 499:0 500:2 501:0 502:0");
}

// Number and value of those kept of the only key, if these writes are named.
std::string kept_of(const History& history,
                    std::initializer_list<std::int64_t> named, bool by_time) {
  std::vector<OpId> ops;
  for (std::uint32_t op = 0; op < history.num_ops(); ++op) {
    for (const std::int64_t value : named) {
      if (history.is_write(OpId(op)) &&
          history.value(OpId(op)) == Atom::integer(value)) {
        ops.push_back(OpId(op));
      }
    }
  }
  const KeyVersions key = versions_of(history, ops).begin()->second;
  EXPECT_EQ(key.by_time, by_time);
  std::string text;
  for (const Version& version : key.versions) {
    if (!version.write.valid()) continue;
    text += " " + std::to_string(version.number) + ":" +
            history.to_string(history.value(version.write));
  }
  return text + " of " + std::to_string(key.total);
}

TEST(PageVersions, StandInTheOrderOfTime) {
  // Session by session in the input, as recorders write it. That of 6 was not
  // seen to end.
  const Result<History> history = parse_text(
      "s1: W(x,1) @1-2 | W(x,4) @7-8 | W(x,6) @9-\n"
      "s2: W(x,2) @3-4 | R(x,2) W(x,7) @5-20\n"
      "s3: W(x,3) @2-5 | W(x,5) @6-9 | W(x,8) @20-30 | W(x,9) @31-32\n");
  ASSERT_TRUE(history.has_value());
  EXPECT_EQ(kept_of(*history, {4}, true), " 1:1 2:2 3:3 4:4 5:6 6:5 of 9");
  EXPECT_EQ(kept_of(*history, {9, 4}, true),
            " 1:1 2:2 3:3 4:4 5:6 6:5 7:7 8:8 9:9 of 9");
  EXPECT_EQ(kept_of(*history, {9}, true), " 1:1 2:2 7:7 8:8 9:9 of 9");
}

TEST(PageVersions, WithoutATimeOfAllThatAreNamedTheInputsOrderCounts) {
  const Result<History> history =
      parse_text("s1: W(x,1) @5-6 | W(x,2)\ns2: W(x,3) @1-2\n");
  ASSERT_TRUE(history.has_value());
  EXPECT_EQ(kept_of(*history, {3}, true), " 1:3 2:1 of 3");
  EXPECT_EQ(kept_of(*history, {2}, false), " 1:1 2:2 3:3 of 3");
}

TEST(PageVersions, WhoWroteTheInitialValueHimselfIsNoInit) {
  const Result<History> history = parse_text("s1: W(x,0) | R(x,0)");
  ASSERT_TRUE(history.has_value());
  const OpId ops[] = {OpId(0)};
  const KeyVersions x = versions_of(*history, ops).begin()->second;
  EXPECT_FALSE(x.has_initial);
  ASSERT_EQ(x.versions.size(), 1u);
  EXPECT_EQ(x.versions[0].num_readers, 1u);
}

TEST(PageVersions, ReadersMeanTheWriterThatDidNotAbort) {
  const Result<History> history =
      parse_text("s1: W(x,1)!\ns2: W(x,1)\ns3: R(x,1)");
  ASSERT_TRUE(history.has_value());
  const OpId ops[] = {OpId(0), OpId(1)};
  const KeyVersions x = versions_of(*history, ops).begin()->second;
  ASSERT_EQ(x.versions.size(), 3u);
  EXPECT_EQ(x.versions[1].num_readers, 0u);
  EXPECT_EQ(x.versions[2].num_readers, 1u);
}

TEST(PageTimes, HaveAUnit) {
  EXPECT_EQ(time_text(Clock::nanoseconds, 0, 0), "0 s");
  EXPECT_EQ(time_text(Clock::nanoseconds, 0, 12), "12 ns");
  EXPECT_EQ(time_text(Clock::nanoseconds, 0, 8'500'000), "8.5 ms");
  EXPECT_EQ(time_text(Clock::milliseconds, 0, 61'000), "61.000 s");
  EXPECT_EQ(time_text(Clock::events, 0, 12'345), "12,345");
  // Further apart than a signed number says.
  EXPECT_EQ(time_text(Clock::events, -INT64_MAX, INT64_MAX),
            "18,446,744,073,709,551,614");
}

}  // namespace
}  // namespace awdit
