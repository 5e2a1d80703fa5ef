// Walks the tree of golden histories (see README.md in this folder): the
// folder is the verdict, <case>.expect the report. AWDIT_UPDATE_EXPECT=1 writes
// the reports that are there anew, for a person to read in the diff.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/table.h"
#include "check/check.h"
#include "evidence_parts.h"
#include "history/text.h"
#include "oracle/oracle.h"
#include "oracle/search.h"
#include "rendered.h"
#include "report/report.h"
#include "witness/witness.h"

namespace awdit {
namespace {

namespace fs = std::filesystem;

struct Golden {
  std::string folder;
  std::string name;  // folder/case, for messages
  fs::path expect;   // its report, if there is one
  std::string text;
  std::map<std::string, std::multiset<std::string>> kinds;  // by level
};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "# kinds: level: kind, kind"
void read_kinds(const std::string& line, Golden& golden) {
  const std::string prefix = "# kinds:";
  if (line.compare(0, prefix.size(), prefix) != 0) return;
  const std::size_t colon = line.find(':', prefix.size());
  ASSERT_NE(colon, std::string::npos) << golden.name << ": " << line;
  const std::string level =
      trimmed(line.substr(prefix.size(), colon - prefix.size()));
  ASSERT_NE(find_row(levels(), level), nullptr) << golden.name << ": " << line;
  std::istringstream list(line.substr(colon + 1));
  for (std::string kind; std::getline(list, kind, ',');) {
    golden.kinds[level].insert(trimmed(kind));
  }
}

std::vector<Golden> all_golden() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(AWDIT_GOLDEN_DIR)) {
    if (entry.path().extension() == ".txt" &&
        entry.path().filename() != "CMakeLists.txt") {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Golden> all;
  for (const fs::path& path : paths) {
    Golden golden;
    golden.folder = path.parent_path().filename().string();
    golden.name = golden.folder + "/" + path.filename().string();
    golden.expect = fs::path(path).replace_extension(".expect");
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      golden.text += line + "\n";
      read_kinds(line, golden);
    }
    all.push_back(std::move(golden));
  }
  return all;
}

// A folder may be named after two levels, neither of which implies the other:
// "prefix+parallel-snapshot-isolation".
std::vector<const Level*> strongest_of(const std::string& folder) {
  std::vector<const Level*> strongest;
  std::istringstream names(folder);
  for (std::string name; std::getline(names, name, '+');) {
    strongest.push_back(find_row(levels(), name));
  }
  std::erase(strongest, nullptr);
  return strongest;
}

// The definition's verdict, by whatever decides it soonest.
bool holds_by_definition(const oracle::Facts& facts,
                         const oracle::Oracle& slow) {
  if (facts.live.size() <= 7) return oracle::brute_force(facts, slow);
  if (!slow.strong()) return oracle::saturate(facts, slow).empty();
  return oracle::closure_search(facts, slow, 1'000'000).value();
}

// The level with nothing left out, so that each component shows one cycle: a
// weak one by itself, the others below what refutes them.
LevelReport quick_report(const History& history, const Level& level) {
  Options options;
  options.only_first_level = true;
  const std::vector<const Level*> asked =
      level.cycles == Cycles::by_axiom ? std::vector<const Level*>{&level}
                                       : applicable_levels(history);
  const Result<Report> report = check(history, asked, options);
  const auto row = std::find_if(
      report->levels.begin(), report->levels.end(),
      [&](const LevelReport& entry) { return entry.level == &level; });
  return *row;
}

void check_level(const Golden& golden, const History& history,
                 const oracle::Facts& facts, const LevelReport& report) {
  const Level& level = *report.level;
  SCOPED_TRACE(level.name);
  const std::vector<const Level*> strongest = strongest_of(golden.folder);
  const bool holds =
      std::any_of(strongest.begin(), strongest.end(),
                  [&](const Level* strong) { return implies(*strong, level); });
  EXPECT_EQ(report.verdict, holds ? Verdict::holds : Verdict::violated);
  EXPECT_EQ(report.violations.empty(), holds);

  const oracle::Oracle* const slow = oracle::find_oracle(level.name);
  ASSERT_NE(slow, nullptr);
  oracle::Findings findings;
  std::multiset<std::string> kinds;
  for (const Violation& violation : quick_report(history, level).violations) {
    findings.insert({violation.kind, read_of(violation).v});
    kinds.insert(std::string(anomaly(violation.kind).name));
  }
  EXPECT_EQ(holds_by_definition(facts, *slow), holds);
  if (!slow->strong()) {
    findings = oracle::as_own(level, findings);
    EXPECT_EQ(oracle::to_string(findings),
              oracle::to_string(oracle::saturate(facts, *slow)));
    EXPECT_EQ(findings, oracle::saturate(facts, *slow));
  }
  const auto stated = golden.kinds.find(std::string(level.name));
  if (stated != golden.kinds.end()) {
    EXPECT_EQ(kinds, stated->second);
  }

  const LevelCheck checked = verify(history, report);
  EXPECT_TRUE(checked.accepted) << checked.objection;
}

// What a user reads, byte by byte.
void check_report(const Golden& golden, const History& history,
                  const Report& report) {
  if (!fs::exists(golden.expect)) return;
  const std::string text = rendered(
      *find_row(reports(), "text"),
      {.path = golden.name, .format = "text", .history = history}, report);
  if (std::getenv("AWDIT_UPDATE_EXPECT") != nullptr) {
    std::ofstream(golden.expect, std::ios::binary) << text;
  }
  std::ifstream file(golden.expect, std::ios::binary);
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(file), {}));
}

void check_golden(const Golden& golden) {
  EXPECT_EQ(golden.text.rfind("# ", 0), 0u)
      << "the first line says what it is and where from";
  const Result<History> history = parse_text(golden.text, golden.name);
  ASSERT_TRUE(history) << to_string(history.error());
  const oracle::Facts facts = oracle::resolve(*history);
  Options options;
  options.commit_order = true;
  const Result<Report> report =
      check(*history, applicable_levels(*history), options);
  EXPECT_EQ(facts.malformed, golden.folder == "malformed");
  ASSERT_EQ(report.has_value(), golden.folder != "malformed");
  if (!report) {
    EXPECT_NE(report.error().message, "");
    return;
  }
  for (const LevelReport& level : report->levels) {
    check_level(golden, *history, facts, level);
  }
  check_report(golden, *history, *report);
}

TEST(Golden, FolderIsTheVerdict) {
  const std::vector<Golden> all = all_golden();
  ASSERT_FALSE(all.empty());
  for (const Golden& golden : all) {
    SCOPED_TRACE(golden.name);
    check_golden(golden);
  }
}

TEST(Golden, EveryLevelHasAFolderAndAnOracle) {
  for (const Level& level : levels()) {
    EXPECT_TRUE(fs::is_directory(fs::path(AWDIT_GOLDEN_DIR) / level.name))
        << level.name;
    EXPECT_NE(oracle::find_oracle(level.name), nullptr) << level.name;
  }
  for (const oracle::Oracle& oracle : oracle::oracles()) {
    EXPECT_NE(find_row(levels(), oracle.level), nullptr) << oracle.level;
  }
}

// The lattice is all that there is to it: whatever a level does not imply some
// history tells apart from it.
TEST(Golden, WhatIsNotImpliedIsSeparated) {
  std::set<std::pair<const Level*, const Level*>> separated;
  for (const Golden& golden : all_golden()) {
    if (golden.folder == "malformed") continue;
    const Result<History> history = parse_text(golden.text, golden.name);
    ASSERT_TRUE(history) << to_string(history.error());
    const std::vector<const Level*> strongest = strongest_of(golden.folder);
    std::vector<const Level*> holding, violated;
    for (const Level* level : applicable_levels(*history)) {
      const bool holds = std::any_of(
          strongest.begin(), strongest.end(),
          [&](const Level* strong) { return implies(*strong, *level); });
      (holds ? holding : violated).push_back(level);
    }
    for (const Level* strong : holding) {
      for (const Level* weak : violated) separated.insert({strong, weak});
    }
  }
  for (const Level& strong : levels()) {
    for (const Level& weak : levels()) {
      EXPECT_NE(implies(strong, weak), separated.contains({&strong, &weak}))
          << strong.name << " and " << weak.name;
    }
  }
}

TEST(Golden, EveryKindIsShown) {
  std::set<std::string> stated;
  for (const Golden& golden : all_golden()) {
    for (const auto& [level, kinds] : golden.kinds) {
      stated.insert(kinds.begin(), kinds.end());
    }
  }
  for (const Anomaly& row : anomalies()) {
    EXPECT_TRUE(stated.contains(std::string(row.name))) << row.name;
  }
}

// The examples that the command line cannot read; tests/cli has the others.
TEST(Documents, ExamplesOfListsAreWhatTheyAreSaidToBe) {
  std::ifstream file(fs::path(AWDIT_DOCS) / "anomalies.md");
  const std::string prefix = "```lists finds: ";
  int examples = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, prefix.size(), prefix) != 0) continue;
    SCOPED_TRACE(line);
    ++examples;
    const std::string kind = line.substr(prefix.size());
    std::string text;
    while (std::getline(file, line) && line != "```") text += line + "\n";
    const Result<History> history = parse_text(text, "anomalies.md");
    ASSERT_TRUE(history) << to_string(history.error());
    const Result<Report> report =
        check(*history, applicable_levels(*history), {});
    ASSERT_TRUE(report) << to_string(report.error());
    const auto weakest = std::find_if(
        report->levels.begin(), report->levels.end(),
        [](const LevelReport& level) { return !level.violations.empty(); });
    ASSERT_NE(weakest, report->levels.end());
    ASSERT_EQ(weakest->violations.size(), 1u);
    EXPECT_EQ(anomaly(weakest->violations.front().kind).name, kind);
  }
  EXPECT_GE(examples, 4);
}

}  // namespace
}  // namespace awdit
