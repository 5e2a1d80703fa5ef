// explain knows every name: those of the tables, and all that Elle's report may
// make of them.
#include <gtest/gtest.h>

#include <string>

#include "report/edn_models.h"
#include "report/report.h"

namespace awdit {
namespace {

bool is_known(std::string_view name) { return meaning_of(name).any(); }

TEST(Names, EveryOneOfTheTables) {
  for (const std::string_view name : names_to_explain()) {
    EXPECT_TRUE(is_known(name)) << name;
  }
}

TEST(Names, EveryTypeThatTheEdnReportPrints) {
  std::size_t cycles = 0;
  for (const Anomaly& row : anomalies()) {
    for (unsigned bits = 0; bits < 32; ++bits) {
      const std::string type =
          elle_type(row.kind, {.reads_from = (bits & 1) != 0,
                               .missed_one = (bits & 2) != 0,
                               .missed_more = (bits & 4) != 0,
                               .adjacent = (bits & 8) != 0,
                               .sessions = (bits & 16) != 0});
      EXPECT_TRUE(is_known(type)) << type;
      cycles += type.find("-process") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(cycles, 0u);
}

TEST(Names, OfAnomaliesAreReadOutOfTheirProse) {
  const std::vector<std::string_view> names =
      names_of(anomaly(Kind::aborted_read));
  const std::vector<std::string_view> expected = {
      "aborted-read", "dirty read",   "G1a", "dirty update",
      "TAP-b",        "aborted read", "P1"};
  EXPECT_EQ(names, expected);
}

TEST(Names, OfSqlHaveAMeaningInEveryDatabase) {
  for (const SqlLevel& sql : sql_levels()) {
    EXPECT_EQ(sql.meanings.size(), sql_databases().size());
    for (const SqlLevel::Meaning& meaning : sql.meanings) {
      EXPECT_FALSE(meaning.how.empty());
      bool found = meaning.level.empty();
      for (const Level& level : levels()) found |= level.name == meaning.level;
      EXPECT_TRUE(found) << meaning.level;
    }
  }
}

TEST(Names, UnknownOnesAreNotMadeUp) {
  for (const char* name : {"", "xyzzy", "-realtime", "foo-process", "cycle"}) {
    EXPECT_FALSE(is_known(name)) << name;
  }
}

TEST(Dictionary, HasAnEntryForEveryWord) {
  for (const std::string_view word : words_to_explain()) {
    std::string text;
    Sink sink(text);
    const Meaning meaning = meaning_of(word);
    ASSERT_TRUE(meaning.any()) << word;
    const auto examples = examples_of(meaning.levels, meaning.anomalies);
    for (const auto& example : examples) EXPECT_NE(example, nullptr) << word;
    explain_meaning(meaning, examples, {}, sink);
    sink.flush();
    EXPECT_EQ(text.substr(0, word.size()), word);
    EXPECT_GT(text.size(), word.size() + 20);
  }
  EXPECT_FALSE(is_known("phantom"));
}

}  // namespace
}  // namespace awdit
