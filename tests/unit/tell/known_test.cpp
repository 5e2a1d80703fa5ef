// What is known, and what is news.
#include "tell/known.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "check/check.h"
#include "history/text.h"

namespace awdit {
namespace {

struct Checked {
  explicit Checked(std::string_view notation, bool only_first_level = false)
      : history(std::move(*parse_text(notation))) {
    Options options;
    options.only_first_level = only_first_level;
    report = std::move(*check(history, applicable_levels(history), options));
  }
  History history;
  Report report;
};

// A fractured read, and a lost update by others.
const char* const kBoth =
    "s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)\n"
    "s3: R(z,0) W(z,1)\ns4: R(z,0) W(z,2)\n";

Known known(std::initializer_list<Kind> kinds) {
  Known all;
  for (const Kind kind : kinds) all.add(kind);
  return all;
}

// The names of the violated levels that are known, a blank behind each.
std::string known_levels(const Report& report, const Known& kinds) {
  std::string names;
  for (const LevelReport& level : report.levels) {
    if (is_known(report, level, kinds)) {
      names += std::string(level.level->name) + " ";
    }
  }
  return names;
}

TEST(Known, KindsAreASet) {
  Known all;
  EXPECT_FALSE(all.any());
  for (const Anomaly& row : anomalies()) {
    EXPECT_FALSE(all.has(row.kind));
    all.add(row.kind);
    EXPECT_TRUE(all.has(row.kind));
  }
  Known more = known({Kind::long_fork});
  more.add(known({Kind::read_skew}));
  EXPECT_TRUE(more.has(Kind::long_fork) && more.has(Kind::read_skew));
  EXPECT_FALSE(more.has(Kind::write_skew));
}

TEST(Known, EachViolationCountsOnce) {
  const Checked both(kBoth);
  const auto counts = count_kinds(both.report);
  for (const Anomaly& row : anomalies()) {
    const bool there =
        row.kind == Kind::fractured_read || row.kind == Kind::lost_update;
    EXPECT_EQ(counts[static_cast<std::size_t>(row.kind)], there ? 1u : 0u)
        << row.name;
  }
}

TEST(Known, ALevelIsIfAllOfItIs) {
  const Checked both(kBoth);
  EXPECT_EQ(known_levels(both.report, known({Kind::fractured_read})),
            "read-atomic causal prefix ");
  EXPECT_EQ(known_levels(both.report, known({Kind::lost_update})), "");
  EXPECT_EQ(known_levels(both.report,
                         known({Kind::lost_update, Kind::fractured_read})),
            "read-atomic causal prefix parallel-snapshot-isolation "
            "snapshot-isolation serializable ");
}

TEST(Known, ALevelWithoutItsOwnIsAsTheOneBelow) {
  const Checked both(kBoth, true);
  EXPECT_EQ(known_levels(both.report, known({Kind::lost_update})), "");
  EXPECT_NE(known_levels(both.report, known({Kind::fractured_read})), "");
}

TEST(Known, TheSentenceSaysBoth) {
  const Checked both(kBoth);
  EXPECT_EQ(known_sentence(both.report, known({Kind::fractured_read})),
            "Known: 1 fractured read. New: 1 lost update.");
  EXPECT_EQ(known_sentence(both.report,
                           known({Kind::fractured_read, Kind::lost_update})),
            "Known: 1 fractured read and 1 lost update. Nothing new.");
  EXPECT_EQ(known_sentence(both.report, known({Kind::long_fork})),
            "New: 1 fractured read and 1 lost update.");
  EXPECT_EQ(
      known_sentence(Checked("s1: W(x,1)\n").report, known({Kind::long_fork})),
      "");
}

}  // namespace
}  // namespace awdit
