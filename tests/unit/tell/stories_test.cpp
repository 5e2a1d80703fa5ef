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

History parsed(std::string_view notation) {
  Result<History> history = parse_text(notation);
  EXPECT_TRUE(history.has_value());
  return std::move(*history);
}

Report checked(const History& history) {
  Result<Report> report = check(history, applicable_levels(history), {});
  EXPECT_TRUE(report.has_value());
  return std::move(*report);
}

// What is told refers to the rest: it stays where it is.
struct Told {
  explicit Told(std::string_view notation, std::uint32_t most = kAllGroups)
      : history(parsed(notation)),
        report(checked(history)),
        found(stories(history, report, most)) {}
  Told(const Told&) = delete;
  Told& operator=(const Told&) = delete;

  const History history;
  const Report report;
  const Stories found;
};

// Five groups of aborted reads, of two violations each, and a fractured read.
std::string several_groups() {
  std::string notation = "s0:";
  for (int i = 0; i < 5; ++i) {
    notation += fmt::format("{}W(k{},1)!", i == 0 ? " " : " | ", i);
  }
  notation += "\n";
  for (int i = 0; i < 5; ++i) {
    notation += fmt::format("s{}: R(k{},1) | R(k{},1)\n", i + 1, i, i);
  }
  return notation + "s6: W(x,1) | W(x,2) W(y,2)\ns7: R(x,1) R(y,2)\n";
}

TEST(Stories, OfTheSameKindKeysAndSessionsAreOneGroup) {
  // Four of session s2 on x, one on y; one of session s3 on x.
  const Told told(
      "s1: W(x,1)! | W(y,1)!\n"
      "s2: R(x,1) | R(x,1) | R(x,1) | R(x,1) | R(y,1)\n"
      "s3: R(x,1)\n");
  ASSERT_EQ(told.found.told.size(), 3u);
  EXPECT_EQ(told.found.groups, 3u);
  EXPECT_EQ(told.found.told[0].count, 4u);
  EXPECT_EQ(told.found.told[0].title, "Aborted read on key x");
  EXPECT_EQ(told.found.told[1].count, 1u);
  EXPECT_EQ(told.found.told[2].count, 1u);
  EXPECT_TRUE(told.found.untold.list().empty());
}

TEST(Stories, ComeWorstFirst) {
  const Told told(
      "s1: W(x,1) | W(x,2) W(y,2)\n"
      "s2: R(x,1) R(y,2)\n"
      "s3: W(z,1)!\ns4: R(z,1)\n");
  ASSERT_EQ(told.found.told.size(), 2u);
  EXPECT_EQ(told.found.told[0].violation.kind, Kind::aborted_read);
  EXPECT_EQ(told.found.told[0].level->name, "adya-read-committed");
  EXPECT_EQ(told.found.told[1].violation.kind, Kind::fractured_read);
  EXPECT_EQ(told.found.told[1].level->name, "read-atomic");
}

TEST(Stories, SayWhichLevelsAreBrokenAndWhichAreNot) {
  const Told told("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)\n");
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
  const Told told(several_groups(), 2);
  EXPECT_EQ(told.found.told.size(), 3u);
  EXPECT_EQ(told.found.groups, 6u);
  const auto untold = told.found.untold.list();
  ASSERT_EQ(untold.size(), 1u);
  EXPECT_EQ(untold[0].kind, Kind::aborted_read);
  EXPECT_EQ(untold[0].groups, 3u);
  EXPECT_EQ(untold[0].violations, 6u);
}

TEST(Stories, AreNotMadeForNobody) {
  const Told told(several_groups(), 0);
  EXPECT_TRUE(told.found.told.empty());
  EXPECT_TRUE(told.found.digests.empty());
}

TEST(Excerpts, AreWhatASmallerLimitWouldHaveTold) {
  const Told all(several_groups());
  for (const std::uint32_t most : {0u, 1u, 2u, 5u, kAllGroups}) {
    const Told few(several_groups(), most);
    const Excerpt part = excerpt(all.found, most);
    ASSERT_EQ(part.told.size(), few.found.told.size()) << most;
    for (std::size_t i = 0; i < part.told.size(); ++i) {
      EXPECT_EQ(part.told[i]->headline, few.found.told[i].headline);
      EXPECT_EQ(part.told[i]->ops, few.found.told[i].ops);
    }
    std::uint64_t left = 0;
    for (const Untold::OfKind& row : part.untold.list()) left += row.groups;
    EXPECT_EQ(part.told.size() + left, all.found.groups);
  }
}

TEST(Stories, ExplainEveryTermThatTheyUse) {
  const Told told("s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)\n");
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
    const Told told(row.example);
    bool shown = false;
    for (const Story& story : told.found.told) {
      shown |= story.violation.kind == row.kind;
    }
    EXPECT_TRUE(shown) << row.name;
  }
}

TEST(Examples, OfLevelsBreakThemAndNoWeakerOne) {
  for (const Level& row : levels()) {
    const Told told(row.example);
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
