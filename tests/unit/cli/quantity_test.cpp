#include "cli/quantity.h"

#include <gtest/gtest.h>

namespace awdit::cli {
namespace {

using Range = std::pair<std::uint64_t, std::uint64_t>;

TEST(Quantity, CountsAreWrittenInManyWays) {
  EXPECT_EQ(parse_count("0"), 0u);
  EXPECT_EQ(parse_count("007"), 7u);
  EXPECT_EQ(parse_count("10k"), 10'000u);
  EXPECT_EQ(parse_count("10K"), 10'000u);
  EXPECT_EQ(parse_count("5M"), 5'000'000u);
  EXPECT_EQ(parse_count("2G"), 2'000'000'000u);
  EXPECT_EQ(parse_count("1e6"), 1'000'000u);
  EXPECT_EQ(parse_count("1.5M"), 1'500'000u);
  EXPECT_EQ(parse_count("1.25e2"), 125u);
  EXPECT_EQ(parse_count("3.0"), 3u);
  EXPECT_EQ(parse_count("1e3k"), 1'000'000u);
  EXPECT_EQ(parse_count("18446744073709551615"), UINT64_MAX);
}

TEST(Quantity, WhatIsNoWholeNumberIsNoCount) {
  for (const char* text : {"",
                           "k",
                           "-1",
                           "+1",
                           " 1",
                           "1 ",
                           "1,000",
                           "1.5",
                           "1.2345k",
                           ".5",
                           "5.",
                           "1e",
                           "e6",
                           "1e-3",
                           "1e100",
                           "ten",
                           "0x10",
                           "1kk",
                           "1.5.5M",
                           "nan",
                           "18446744073709551616",
                           "18446744073709551615k",
                           "1e20"}) {
    EXPECT_EQ(parse_count(text), std::nullopt) << text;
  }
}

TEST(Quantity, RangesHaveTwoEnds) {
  EXPECT_EQ(parse_range("8"), Range(8, 8));
  EXPECT_EQ(parse_range("4-12"), Range(4, 12));
  EXPECT_EQ(parse_range("4..12"), Range(4, 12));
  EXPECT_EQ(parse_range("1k-1.5k"), Range(1000, 1500));
  for (const char* text : {"", "-", "..", "1-", "-1", "1-2-3", "1.5"}) {
    EXPECT_EQ(parse_range(text), std::nullopt) << text;
  }
}

TEST(Quantity, TimesAreInSecondsUnlessTheySayOtherwise) {
  using std::chrono::milliseconds;
  EXPECT_EQ(parse_duration("90"), milliseconds(90000));
  EXPECT_EQ(parse_duration("1.5"), milliseconds(1500));
  EXPECT_EQ(parse_duration("90s"), milliseconds(90000));
  EXPECT_EQ(parse_duration("2m"), milliseconds(120000));
  EXPECT_EQ(parse_duration("1h"), milliseconds(3600000));
  EXPECT_EQ(parse_duration("250ms"), milliseconds(250));
  EXPECT_EQ(parse_duration("0"), milliseconds(0));
  for (const char* text :
       {"", "s", "-1", "1d", "soon", "inf", "1e3", "99999999999"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

TEST(Quantity, SharesMayBePercent) {
  EXPECT_EQ(parse_share("0.25"), 0.25);
  EXPECT_EQ(parse_share("25%"), 0.25);
  EXPECT_EQ(parse_share("0"), 0.0);
  EXPECT_EQ(parse_share("1"), 1.0);
  for (const char* text :
       {"", "%", "-0.1", "a", "0.5x", "inf", "nan", "1e-1"}) {
    EXPECT_EQ(parse_share(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace awdit::cli
