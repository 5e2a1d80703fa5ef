// What formats cannot yet bring about: unknown outcomes, keys of any bytes,
// undecided levels, levels that are no chain.
#include "report/report.h"

#include <gtest/gtest.h>

#include <string>

#include "base/table.h"
#include "check/check.h"
#include "history/builder.h"
#include "history/text.h"
#include "rendered.h"

namespace awdit {
namespace {

const Level& level(std::string_view name) { return *find_row(levels(), name); }

Report check_all(const History& history) {
  const std::vector<const Level*> asked = applicable_levels(history);
  Result<Report> report = check(history, asked, {});
  EXPECT_TRUE(report.has_value());
  return std::move(*report);
}

std::string render(std::string_view format, const History& history,
                   const Report& report) {
  return rendered(*find_row(reports(), format),
                  {.path = "h", .format = "test", .history = history}, report);
}

std::string render(std::string_view format, std::string_view notation) {
  const Result<History> history = parse_text(notation);
  EXPECT_TRUE(history.has_value());
  return render(format, *history, check_all(*history));
}

void expect_contains(const std::string& text, std::string_view part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

// Everything that a report shows was decided before: all of them take it from
// the same stories, whichever of them asked for the most.
TEST(Reports, ShowTheStoriesThatTheyAreGiven) {
  const Result<History> history = parse_text(
      "s1: W(x,1) | W(x,2) W(y,2)\ns2: R(x,1) R(y,2)\ns3: W(z,1)!\ns4: R(z,1)\n"
      "s5: W(k,1)!\ns6: R(k,1)\ns7: W(l,1)!\ns8: R(l,1)\ns9: W(m,1)!\ns1: "
      "R(m,1)");
  ASSERT_TRUE(history.has_value());
  const Report report = check_all(*history);
  Stories told = stories(*history, report, kAllGroups);
  ASSERT_GT(told.told.size(), 4u) << "some reports leave something out";
  const Subject subject{.path = "h", .format = "test", .history = *history};
  for (const ReportFormat& row : reports()) {
    EXPECT_EQ(rendered(row, subject, told), rendered(row, subject, report))
        << row.name;
  }
  for (Story& story : told.told) story.headline = "So it was told.";
  for (const ReportFormat& row : reports()) {
    const bool takes_it = rendered(row, subject, told).find("So it was told") !=
                          std::string::npos;
    EXPECT_EQ(takes_it, row.name != "json") << row.name;
  }
}

TEST(UnknownOutcomes, AreCountedByWhatBecameOfThem) {
  expect_contains(
      render("text", "s1: W(x,1)?\ns2: R(x,1)"),
      "\n1 transaction with unknown outcome: 1 counts as committed, "
      "because a committed\ntransaction read from it.\n");
  expect_contains(render("text", "s1: W(x,1)?\ns2: R(y,0)"),
                  "\n1 transaction with unknown outcome: 1 is left out, "
                  "because nobody read from it.\n");
  const std::string both =
      render("text", "s1: W(x,1)?\ns2: R(x,1)\ns3: W(x,2)?\ns4: W(x,3)?");
  expect_contains(both,
                  "\n3 transactions with unknown outcome: 1 counts as "
                  "committed, because a committed\ntransaction read from it; 2 "
                  "are left out, because nobody did.\n");
  expect_contains(both, "Checked: 1 read by 2 committed transactions");
}

TEST(UnknownOutcomes, AreMarkedWhereAFindingRestsOnThem) {
  constexpr std::string_view kNotation =
      "s1: W(x,1)?\ns1: W(x,2)?\ns2: R(x,2) R(x,1)";
  expect_contains(render("text", kNotation),
                  "(outcome unknown, but read from: counts as committed)");
  const std::string json = render("json", kNotation);
  expect_contains(json, R"("unknown":2,"promoted":2,"dropped":0)");
  expect_contains(json, R"("status":"unknown","promoted":true)");
}

TEST(HostileKeys, AreShownNotObeyed) {
  Builder builder({.initial_value = Atom::integer(0)});
  const Atom key = builder.string("k\x1b[2J\n\"\xff");
  Builder::Shard& shard = builder.add_shard();
  shard.select(Atom::integer(1), 1);
  shard.read(key, Atom::integer(7));
  const Result<History> history = builder.finish(1);
  ASSERT_TRUE(history.has_value());
  const Report report = check_all(*history);

  const std::string text = render("text", *history, report);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  expect_contains(text, "Thin air read on key k\\x1b[2J\\n\"\\xff\n");
  expect_contains(text, "R k\\x1b[2J\\n\"\\xff=7 (from nobody)");

  const std::string json = render("json", *history, report);
  expect_contains(json,
                  "\"key\":\"k\\u001b[2J\\n\\\"\xEF\xBF\xBD\",\"value\":7");
  EXPECT_EQ(json.find('\n'), json.size() - 1);
}

TEST(Findings, OfOneCycleAreShownUnderTheWeakestLevelOnly) {
  const std::string text =
      render("text", "s1: W(x,1) | W(x,2) W(y,2)\ns2: R(y,2) R(x,1)");
  expect_contains(
      text,
      "  read-committed                VIOLATED   1 "
      "non-monotonic read\n"
      "  read-your-writes              holds\n"
      "  monotonic-reads               holds\n"
      "  monotonic-writes              holds\n"
      "  writes-follow-reads           holds\n"
      "  read-atomic                   VIOLATED   1 non-monotonic read (from "
      "read-committed)\n"
      "  causal                        VIOLATED   1 non-monotonic read (from "
      "read-committed)\n"
      "  prefix                        VIOLATED   1 non-monotonic read (from "
      "read-committed)\n");
  EXPECT_EQ(text.find("Fractured read on"), std::string::npos);
  EXPECT_EQ(text.find("Causal violation on"), std::string::npos);
}

TEST(Findings, AreCountedInWords) {
  expect_contains(
      render("text", "s1: W(x,1)\ns2: W(x,2) R(x,1)\ns3: W(x,3) R(x,1)"),
      "VIOLATED   2 own writes ignored\n");
}

TEST(Lists, AreWholeInJsonUnlessLong) {
  const std::string json =
      render("json", "s1: A(x,1)\ns2: A(x,2)\ns3: R(x,[1 7 2]) R(y,[])");
  expect_contains(json, R"("kind":"thin-air-read")");
  expect_contains(json, R"("read":{"transaction":"t3","type":"read","key":"x",)"
                        R"("value":[1,7,2],"line":3})");
  expect_contains(json, R"("element":{"index":1,"value":7})");
  expect_contains(json, R"({"type":"read","key":"y","value":[],"line":3})");
  EXPECT_EQ(json.find("elements_omitted"), std::string::npos);

  std::string notation = "s1: A(x,1)\ns2: R(x,[";
  for (int i = 1; i <= 103; ++i) notation += std::to_string(i) + " ";
  const std::string cut = render("json", notation + "])");
  expect_contains(cut, R"(,49,50,54,55,)");
  expect_contains(cut, R"(,102,103],"elements_omitted":3,)");
  expect_contains(cut, R"("element":{"index":1,"value":2})");
}

TEST(Lists, AreShownAroundTheElementThatIsWrong) {
  std::string notation = "s1:";
  std::string list;
  for (int i = 1; i <= 100; ++i) {
    notation += " A(x," + std::to_string(i) + ")";
    list += std::to_string(i == 50 ? 1000 : i) + " ";
  }
  notation += "\ns2: R(x,[" + list + "])";
  expect_contains(render("text", notation),
                  "  t2 read x=[1 2 ... 46 more ... 49 1000 51 ... 47 more ... "
                  "99 100], but nobody\n  appended 1000.\n");
  expect_contains(render("text", notation),
                  "read x=[1 2 ... 46 more ... 49 1000 51 ... 47 more ... 99 "
                  "100] (1000 from nobody)");
}

TEST(Lists, OfHostileElementsAreShownNotObeyed) {
  Builder builder({.initial_value = Atom::nil()});
  const Atom element = builder.string("\x1b[2J");
  Builder::Shard& shard = builder.add_shard();
  shard.select(Atom::integer(1), 1);
  shard.read_list(Atom::integer(1), std::vector<Atom>{element});
  const Result<History> history = builder.finish(1);
  ASSERT_TRUE(history.has_value());
  const std::string text = render("text", *history, check_all(*history));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  expect_contains(text, "read 1=[\\x1b[2J] (\\x1b[2J from nobody)");
}

TEST(Undecided, SaysWhy) {
  const Result<History> history = parse_text("s1: R(x,0) W(x,1)");
  ASSERT_TRUE(history.has_value());
  Report report;
  report.levels.resize(3);
  report.levels[0].level = &level("causal");
  report.levels[0].verdict = Verdict::holds;
  report.levels[1].level = &level("prefix");
  report.levels[1].limit = Limit::time;
  report.levels[2].level = &level("serializable");
  report.levels[2].limit = Limit::memory;
  const std::string text = render("text", *history, report);
  expect_contains(
      text,
      "  prefix         undecided   the time limit was reached; "
      "--time-limit gives it longer\n"
      "  serializable   undecided   it needs more memory than it may take; "
      "--memory-limit says how much that is\n");
  expect_contains(render("json", *history, report),
                  R"("verdict":"undecided","limit":"time")");
  expect_contains(render("markdown", *history, report),
                  "| prefix | undecided | the time limit was");
  expect_contains(render("junit", *history, report),
                  "<skipped message=\"undecided: the time limit was");
  expect_contains(render("sarif", *history, report),
                  "prefix is undecided: the time limit was");
  expect_contains(render("html", *history, report),
                  R"("limit":"it needs more memory)");
  expect_contains(render("edn", *history, report), ":prefix :undecided");
}

TEST(Follows, IsSaidBriefly) {
  const Result<History> history =
      parse_text("s1: R(x,0) W(x,1)\ns2: R(x,0) W(x,2)");
  ASSERT_TRUE(history.has_value());
  const Report report = check_all(*history);
  const std::string text = render("text", *history, report);
  expect_contains(text,
                  "  prefix                        holds\n"
                  "  parallel-snapshot-isolation   VIOLATED   1 lost update\n"
                  "  snapshot-isolation            VIOLATED   1 lost update "
                  "(from parallel-snapshot-isolation)\n");
  expect_contains(text,
                  "  Breaks parallel-snapshot-isolation and all stronger "
                  "levels. Allowed by prefix\n  and all weaker levels.\n");
  expect_contains(render("json", *history, report),
                  R"("follows_from":"parallel-snapshot-isolation")");
  // Told once.
  EXPECT_EQ(text.find("Lost update on key x"),
            text.rfind("Lost update on key x"));
}

TEST(SessionOrder, IsSaidNotToCount) {
  Result<History> parsed = parse_text("s1: W(x,1) | R(x,0)\ns2: R(y,0) W(y,1)");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(render("text", *parsed, check_all(*parsed))
                .find("Session order does not count"),
            std::string::npos);
  const History history = std::move(*parsed).without_session_order();
  const Report report = check_all(history);
  for (const char* format :
       {"text", "markdown", "html", "svg", "dot", "sarif"}) {
    expect_contains(render(format, history, report),
                    "Session order does not count here");
  }
  expect_contains(render("text", history, report), "  2 sessions  3 trans");
  expect_contains(render("text", history, report),
                  "Every level asked for holds; the strongest: serializable.");
  expect_contains(render("json", history, report), R"("session_order":false)");
  expect_contains(render("junit", history, report),
                  R"(name="session-order" value="false")");
  expect_contains(render("edn", history, report), ":awdit/session-order false");
}

TEST(Edn, HasEllesNames) {
  const std::string lost =
      render("edn", "s1: R(x,0) W(x,1)\ns2: R(x,0) W(x,2)");
  expect_contains(lost, ":anomaly-types [:lost-update]");
  expect_contains(lost, ":not #{:parallel-snapshot-isolation}");
  expect_contains(lost,
                  ":also-not #{:serializable :snapshot-isolation "
                  ":strong-serializable :strong-session-serializable "
                  ":strong-session-snapshot-isolation "
                  ":strong-snapshot-isolation}");
  expect_contains(render("edn", "s1: R(x,0) W(y,1)\ns2: R(y,0) W(x,1)"),
                  ":anomaly-types [:G2-item]");
  const std::string fork = render(
      "edn", "s1: W(x,1)\ns2: W(y,1)\ns3: R(x,1) R(y,0)\ns4: R(x,0) R(y,1)");
  expect_contains(fork, ":anomaly-types [:G-nonadjacent-item]");
  expect_contains(fork, ":not #{:prefix}");
  const std::string stale = render("edn", "s1: W(x,1) @1-2\ns2: R(x,0) @3-4");
  expect_contains(stale, ":anomaly-types [:G-single-item-realtime]");
  expect_contains(stale, ":not #{:strong-snapshot-isolation}");
}

Report verdicts(Verdict weak, Verdict strong) {
  Report report;
  report.levels.resize(2);
  report.levels[0].level = &level("read-committed");
  report.levels[0].verdict = weak;
  report.levels[1].level = &level("causal");
  report.levels[1].verdict = strong;
  return report;
}

TEST(Conclusion, SaysWhatHoldsAndWhatBreaks) {
  using enum Verdict;
  EXPECT_EQ(conclusion(verdicts(holds, holds)),
            "Every level asked for holds; the strongest: causal.");
  EXPECT_EQ(conclusion(verdicts(holds, violated)),
            "Strongest level that holds: read-committed. Weakest that breaks: "
            "causal.");
  EXPECT_EQ(conclusion(verdicts(violated, violated)),
            "No level asked for holds; the weakest: read-committed.");
  EXPECT_EQ(conclusion(verdicts(holds, undecided)),
            "Strongest level that holds: read-committed. Undecided: causal.");
  EXPECT_EQ(conclusion(verdicts(undecided, violated)),
            "Weakest that breaks: causal. Undecided: read-committed.");
}

TEST(Conclusion, NamesSeveralLevelsThatNoneOfThemImplies) {
  Report report;
  report.levels.resize(3);
  report.levels[0].level = &level("prefix");
  report.levels[1].level = &level("parallel-snapshot-isolation");
  report.levels[2].level = &level("snapshot-isolation");
  report.levels[0].verdict = report.levels[1].verdict = Verdict::holds;
  report.levels[2].verdict = Verdict::violated;
  EXPECT_EQ(conclusion(report),
            "Strongest levels that hold: prefix and "
            "parallel-snapshot-isolation. Weakest that breaks: "
            "snapshot-isolation.");
}

TEST(Reports, AStoppedReaderEndsTheWork) {
  std::string notation = "s1: W(x,1)\ns2:";
  // A key each: violations of one key would be told once.
  for (int i = 0; i < 5000; ++i) {
    notation += (i == 0 ? " R(" : " | R(") + std::to_string(i) + ",5)";
  }
  const Result<History> history = parse_text(notation);
  ASSERT_TRUE(history.has_value());
  const Report report = check_all(*history);
  const Stories told = stories(*history, report, kAllGroups);
  for (const ReportFormat& format : reports()) {
    std::size_t calls = 0;
    Sink sink([&](std::string_view) { return ++calls < 2; });
    const auto writer = format.open({.limit = 0}, sink);
    writer->add({.path = "h", .format = "test", .history = *history}, told);
    writer->end();
    sink.flush();
    // Reports for programs may be bounded and then end by themselves.
    EXPECT_LE(calls, 2u) << format.name;
    EXPECT_GE(calls, 1u) << format.name;
  }
}

}  // namespace
}  // namespace awdit
