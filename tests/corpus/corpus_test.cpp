// Real histories with the verdicts that other projects state for them. They
// are not part of this repository: the test uses them where they lie beside
// the checkout (../shared/corpus) or where AWDIT_CORPUS says, and is skipped
// otherwise. INDEX.tsv there has a header line and the columns path, format,
// source, licence, txns, ops, sessions, expected verdict, stated by.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/table.h"
#include "check/check.h"
#include "format/format.h"
#include "witness/witness.h"

namespace awdit {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> corpus() {
  const char* told = std::getenv("AWDIT_CORPUS");
  const fs::path path = told != nullptr
                            ? fs::path(told)
                            : fs::path(AWDIT_SOURCE_DIR) / "../shared/corpus";
  if (fs::exists(path / "INDEX.tsv")) return path;
  return std::nullopt;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    parts.push_back(part);
  }
  return parts;
}

// The corpus's names of formats, and ours; packed ones have "+tar.gz" behind.
const std::map<std::string, std::string>& known_formats() {
  static const std::map<std::string, std::string> names{
      {"awdit-test", "awdit-test"},
      {"plume-text", "plume"},
      {"dbcop-hist", "dbcop-hist"},
      {"cobra-log-dir", "cobra"},
      {"jepsen-edn:list-append", "jepsen-edn"},
      {"jepsen-edn:rw-register", "jepsen-edn"}};
  return names;
}

// Rows whose statement rests on another convention than ours, and which. What a
// row is excused from must really differ: an excuse that is not needed any more
// fails the test. docs/formats/README.md lists these rows, too.
struct Excuse {
  enum class From { counts, read_committed, read_atomic, causal };
  std::string path;
  From from;
  std::string reason;
};

const std::vector<Excuse>& excuses() {
  using From = Excuse::From;
  static const std::string kSessions =
      "Elle's levels do not contain session order, ours do; all transactions "
      "of the file are of one process";
  static const std::string kRow =
      "elle-inline/list-append/adjacent-rw-SI-valid.edn";
  static const std::vector<Excuse> list = {
      {kRow, From::read_committed, kSessions},
      {kRow, From::read_atomic, kSessions},
      {kRow, From::causal, kSessions},
      {"elle-inline/list-append/info-nil-read-acyclic.edn", From::counts,
       "without :process each operation is a session of its own, and a nil "
       "read of an :info operation is no read"},
      {"elle-inline/list-append/readme-G1c.edn", From::read_committed,
       "the cycle needs the order of inner elements, which the weak levels do "
       "not look at"},
  };
  return list;
}

bool excused(const std::string& path, Excuse::From from) {
  for (const Excuse& excuse : excuses()) {
    if (excuse.path == path && excuse.from == from) return true;
  }
  return false;
}

struct Row {
  std::string path;
  std::string format;
  std::uint32_t txns = 0, ops = 0, sessions = 0;
  std::map<std::string, std::string> stated;  // "RC" -> "valid"
};

std::vector<Row> rows(const fs::path& directory) {
  std::vector<Row> result;
  std::ifstream index(directory / "INDEX.tsv");
  std::string line;
  std::getline(index, line);
  while (std::getline(index, line)) {
    const std::vector<std::string> columns = split(line, '\t');
    if (columns.size() < 8) continue;
    const std::string format = columns[1].substr(0, columns[1].find('+'));
    if (!known_formats().contains(format)) {
      ADD_FAILURE() << columns[0] << ": no such format: " << columns[1];
      continue;
    }
    const auto number = [&](std::size_t i) {
      return static_cast<std::uint32_t>(std::stoul(columns[i]));
    };
    Row row{columns[0], format, number(4), number(5), number(6), {}};
    for (const std::string& verdict : split(columns[7], ';')) {
      const std::vector<std::string> sides = split(verdict, '=');
      if (sides.size() == 2) row.stated[sides[0]] = sides[1];
    }
    result.push_back(std::move(row));
  }
  return result;
}

// What the statements of a row demand of our levels. Levels that we do not
// decide still imply those we do.
std::map<std::string_view, Verdict> demands(const Row& row) {
  static const std::map<std::string, std::string_view> ours{
      {"RC", "read-committed"}, {"RA", "read-atomic"}, {"CC", "causal"}};
  std::map<std::string_view, Verdict> result;
  for (const auto& [level, verdict] : row.stated) {
    const bool valid = verdict == "valid";
    if (const auto found = ours.find(level); found != ours.end()) {
      result[found->second] = valid ? Verdict::holds : Verdict::violated;
    } else if (valid && (level == "SI" || level == "SER" || level == "PC" ||
                         level == "PSI" || level == "SSER")) {
      for (const auto& [name, weak] : ours) result[weak] = Verdict::holds;
    }
  }
  return result;
}

void check_row(const fs::path& directory, const Row& row,
               bool name_the_format) {
  const Format* const format =
      find_row(formats(), known_formats().at(row.format));
  ASSERT_NE(format, nullptr);
  const Result<Loaded> loaded = read_history(
      (directory / row.path).string(), name_the_format ? format : nullptr, 2);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_EQ(loaded->format, format);
  const History& history = loaded->history;
  const bool counts_agree = history.num_txns() == row.txns &&
                            history.num_ops() == row.ops &&
                            history.num_sessions() == row.sessions;
  EXPECT_NE(counts_agree, excused(row.path, Excuse::From::counts))
      << history.num_txns() << " transactions (" << row.txns << "), "
      << history.num_ops() << " operations (" << row.ops << "), "
      << history.num_sessions() << " sessions (" << row.sessions << ")";

  std::vector<const Level*> asked;
  for (const Level& level : levels()) asked.push_back(&level);
  Options options;
  options.threads = 2;
  options.commit_order = true;
  const Result<Report> report = check(history, asked, options);
  ASSERT_TRUE(report) << to_string(report.error());
  const std::map<std::string_view, Verdict> expected = demands(row);
  for (const LevelReport& level : report->levels) {
    SCOPED_TRACE(level.level->name);
    if (const auto found = expected.find(level.level->name);
        found != expected.end()) {
      const std::map<std::string_view, Excuse::From> froms{
          {"read-committed", Excuse::From::read_committed},
          {"read-atomic", Excuse::From::read_atomic},
          {"causal", Excuse::From::causal}};
      EXPECT_NE(level.verdict == found->second,
                excused(row.path, froms.at(level.level->name)))
          << "we say " << name(level.verdict);
    }
    const LevelCheck checked = verify(history, level);
    EXPECT_TRUE(checked.accepted) << checked.objection;
  }
}

TEST(Corpus, StatedCountsAndVerdictsAreReproduced) {
  const std::optional<fs::path> directory = corpus();
  if (!directory) GTEST_SKIP() << "skipped: no corpus";
  const std::vector<Row> all = rows(*directory);
  ASSERT_FALSE(all.empty());
  std::size_t verdicts = 0;
  for (const Row& row : all) {
    SCOPED_TRACE(row.path);
    verdicts += demands(row).size();
    for (bool name_the_format : {true, false}) {
      check_row(*directory, row, name_the_format);
    }
  }
  EXPECT_GT(verdicts, 0u);
}

}  // namespace
}  // namespace awdit
