// What a level has of its own, and what it shares with weaker ones.
#include <gtest/gtest.h>

#include <string>

#include "base/table.h"
#include "check/check.h"
#include "history/text.h"

namespace awdit {
namespace {

Report checked(const std::string& text, std::vector<std::string_view> names,
               const Options& options = {}) {
  static std::vector<History> kept;
  Result<History> history = parse_text(text);
  EXPECT_TRUE(history.has_value());
  kept.push_back(std::move(*history));
  std::vector<const Level*> asked;
  for (const std::string_view name : names) {
    asked.push_back(find_row(levels(), name));
  }
  Result<Report> report = check(kept.back(), asked, options);
  EXPECT_TRUE(report.has_value());
  return std::move(*report);
}

std::string kinds(const LevelReport& level) {
  std::string text;
  for (std::size_t i = 0; i < level.violations.size(); ++i) {
    if (i == level.inherited) text += "| ";
    text += std::string(anomaly(level.violations[i].kind).name) + " ";
  }
  return text;
}

// A thin-air read, and a write skew on other keys.
const char* const kTwo =
    "s1: R(a,7)\n"
    "s2: R(x,0) W(y,1)\n"
    "s3: R(y,0) W(x,1)\n";

TEST(Ladder, LevelsShareWhatTheyInherit) {
  const Report report = checked(
      kTwo, {"read-committed", "causal", "snapshot-isolation", "serializable"});
  const auto& levels = report.levels;
  EXPECT_EQ(kinds(levels[0]), "| thin-air-read ");
  EXPECT_EQ(kinds(levels[1]), "thin-air-read ");
  EXPECT_EQ(kinds(levels[2]), "thin-air-read ");
  EXPECT_EQ(kinds(levels[3]), "thin-air-read | write-skew ");
  for (const LevelReport& level : levels) {
    EXPECT_EQ(level.verdict, Verdict::violated);
    EXPECT_EQ(&level.violations[0], &levels[0].violations[0]);
    EXPECT_EQ(level.follows_from == nullptr, &level == &levels[0]);
  }
  EXPECT_EQ(levels[3].follows_from, levels[0].level);
}

// A session that misses its own write is called that by Causal, too.
TEST(Ladder, CyclesAreCalledAfterTheWeakestLevelWhicheverIsAsked) {
  for (const Level& weakest : levels()) {
    if (weakest.premise == Premise::nobody) continue;
    for (const Level& level : levels()) {
      if (!implies(level, weakest) || level.real_time) continue;
      const Report report = checked(std::string(weakest.example), {level.name});
      EXPECT_EQ(report.levels[0].violations[0].kind, weakest.cycle)
          << level.name << " by the example of " << weakest.name;
    }
  }
}

// t3 reads x again after it has seen t2.
TEST(Ladder, OfTheReadsOfAKeyTheOneCountsThatBreaksAWeakerLevel) {
  for (const std::string_view level : {"read-atomic", "causal"}) {
    const Report report = checked(
        "s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2) R(x,1)\n", {level});
    EXPECT_EQ(kinds(report.levels[0]), "| non-monotonic-read ") << level;
  }
}

TEST(Ladder, WhatAWeakerLevelHasIsInheritedFromItUnasked) {
  const Report report = checked(kTwo, {"serializable"});
  EXPECT_EQ(kinds(report.levels[0]), "thin-air-read | write-skew ");
  EXPECT_EQ(report.levels[0].follows_from->name, "causal");
}

TEST(Ladder, OfTwoLevelsNothingIsInheritedTwice) {
  // Of versions that one session reads in the wrong order both levels below
  // snapshot isolation know.
  const Report report =
      checked("s1: R(x,0) W(x,1) | R(y,0)\ns2: R(y,0) W(y,1) | R(x,0)\n",
              {"prefix", "parallel-snapshot-isolation", "snapshot-isolation"});
  const LevelReport& strongest = report.levels[2];
  for (std::size_t i = 0; i < strongest.violations.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(identity(strongest.violations[i]),
                identity(strongest.violations[j]));
    }
  }
}

TEST(Ladder, TheFirstIsEnoughIfAsked) {
  const Report report =
      checked(kTwo, {"read-committed", "serializable"}, {.first = true});
  EXPECT_EQ(kinds(report.levels[0]), "| thin-air-read ");
  EXPECT_EQ(kinds(report.levels[1]), "thin-air-read ");
}

TEST(Ladder, ALevelAskedTwiceAnswersTwice) {
  const Report report = checked(kTwo, {"causal", "causal"});
  EXPECT_EQ(kinds(report.levels[0]), kinds(report.levels[1]));
}

// So many sessions miss their own write that the guarantee looks at them only
// once; a long fork of what two of them wrote is found all the same.
TEST(Ladder, AGuaranteeThatStopsEarlyMasksNothing) {
  std::string text;
  for (int s = 0; s < 300; ++s) {
    // The first two miss each other's write of p, too, in the same tangle.
    std::string writes = s == 0   ? " W(x,1) W(p,1)"
                         : s == 1 ? " W(y,1) W(p,2)"
                                  : "";
    std::string reads = s == 0 ? " R(p,2)" : s == 1 ? " R(p,1)" : "";
    for (int k = 0; k < 240; ++k) {
      const std::string key = "k" + std::to_string(s) + "_" + std::to_string(k);
      writes += " W(" + key + ",1)";
      reads += " R(" + key + ",0)";
    }
    text += "s" + std::to_string(s + 1) + ":" + writes + " |" + reads + "\n";
  }
  text += "s301: R(x,1) R(y,0)\ns302: R(y,1) R(x,0)\n";
  const Report report =
      checked(text, {"read-your-writes", "read-atomic", "prefix"});
  for (const LevelReport& level : report.levels) {
    EXPECT_EQ(level.verdict, Verdict::violated);
  }
  EXPECT_NE(kinds(report.levels[2]).find("| long-fork"), std::string::npos);
}

}  // namespace
}  // namespace awdit
