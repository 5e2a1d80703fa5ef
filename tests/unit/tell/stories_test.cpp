// Groups of violations: what is told, in which order, what is left out; and
// that the examples of the tables are what they should be.
#include "tell/stories.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/table.h"
#include "check/check.h"
#include "history/text.h"

namespace awdit {
namespace {

struct Told {
  History history;
  Report report;
  Stories found;
};

Told tell(std::string_view notation, std::uint32_t limit) {
  Result<History> history = parse_text(notation);
  EXPECT_TRUE(history.has_value());
  const std::vector<const Level*> asked = applicable_levels(*history);
  Result<Report> report = check(*history, asked, {});
  EXPECT_TRUE(report.has_value());
  Stories found = stories(*history, *report, limit);
  return {std::move(*history), std::move(*report), std::move(found)};
}

TEST(Stories, OfTheSameKindKeysAndSessionsAreOneGroup) {
  // Four of session s2 on x, one on y; one of session s3 on x.
  const Told told = tell(
      "s1: W(x,1)! | W(y,1)!\n"
      "s2: R(x,1) | R(x,1) | R(x,1) | R(x,1) | R(y,1)\n"
      "s3: R(x,1)\n",
      0);
  ASSERT_EQ(told.found.told.size(), 3u);
  EXPECT_EQ(told.found.groups, 3u);
  EXPECT_EQ(told.found.told[0].count, 4u);
  EXPECT_EQ(told.found.told[0].title, "Aborted read on key x");
  EXPECT_EQ(told.found.told[1].count, 1u);
  EXPECT_EQ(told.found.told[2].count, 1u);
  EXPECT_TRUE(told.found.untold.empty());
}

TEST(Stories, ComeWorstFirst) {
  const Told told = tell(
      "s1: W(x,1) | W(x,2) W(y,2)\n"
      "s2: R(x,1) R(y,2)\n"
      "s3: W(z,1)!\ns4: R(z,1)\n",
      0);
  ASSERT_EQ(told.found.told.size(), 2u);
  EXPECT_EQ(told.found.told[0].violation.kind, Kind::aborted_read);
  EXPECT_EQ(told.found.told[0].level->name, "adya-read-committed");
  EXPECT_EQ(told.found.told[1].violation.kind, Kind::fractured_read);
  EXPECT_EQ(told.found.told[1].level->name, "read-atomic");
}

TEST(Stories, SayWhichLevelsAreBrokenAndWhichAreNot) {
  const Told told = tell("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)\n", 0);
  ASSERT_EQ(told.found.told.size(), 1u);
  const Story& story = told.found.told[0];
  const Level& broken = *find_row(levels(), "read-atomic");
  for (const Level* level : story.breaks) {
    EXPECT_TRUE(implies(*level, broken)) << level->name;
  }
  for (const Level* level : story.keeps) {
    EXPECT_FALSE(implies(*level, broken)) << level->name;
  }
  EXPECT_EQ(story.breaks.size() + story.keeps.size(),
            applicable_levels(told.history).size());
}

TEST(Stories, BeyondTheLimitAreCounted) {
  std::string notation = "s0:";
  for (int i = 0; i < 5; ++i) {
    notation += fmt::format("{}W(k{},1)!", i == 0 ? " " : " | ", i);
  }
  notation += "\n";
  for (int i = 0; i < 5; ++i) {
    notation += fmt::format("s{}: R(k{},1) | R(k{},1)\n", i + 1, i, i);
  }
  const Told told = tell(notation, 2);
  EXPECT_EQ(told.found.told.size(), 2u);
  EXPECT_EQ(told.found.groups, 5u);
  ASSERT_EQ(told.found.untold.size(), 1u);
  EXPECT_EQ(told.found.untold[0].kind, Kind::aborted_read);
  EXPECT_EQ(told.found.untold[0].groups, 3u);
  EXPECT_EQ(told.found.untold[0].violations, 6u);
}

TEST(Stories, ExplainEveryTermThatTheyUse) {
  const Told told = tell("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)\n", 0);
  ASSERT_EQ(told.found.told.size(), 1u);
  std::vector<std::string_view> words;
  for (const Word* term : told.found.told[0].terms) {
    words.push_back(term->word);
  }
  EXPECT_EQ(words, (std::vector<std::string_view>{
                       "comes before", "commit order", "session",
                       "newer of the two", "overwritten"}));
}

TEST(Examples, OfAnomaliesShowThem) {
  for (const Anomaly& row : anomalies()) {
    const Told told = tell(row.example, 0);
    bool shown = false;
    for (const Story& story : told.found.told) {
      shown |= story.violation.kind == row.kind;
    }
    EXPECT_TRUE(shown) << row.name;
  }
}

TEST(Examples, OfLevelsBreakThemAndNoWeakerOne) {
  for (const Level& row : levels()) {
    const Told told = tell(row.example, 0);
    for (const LevelReport& level : told.report.levels) {
      if (level.level == &row) {
        EXPECT_EQ(level.verdict, Verdict::violated) << row.name;
      } else if (implies(row, *level.level)) {
        EXPECT_EQ(level.verdict, Verdict::holds)
            << "that of " << row.name << " breaks " << level.level->name;
      }
    }
  }
}

}  // namespace
}  // namespace awdit
