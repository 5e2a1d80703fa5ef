// Real histories with the verdicts that other projects state for them. They
// are not part of this repository: the test uses them where they lie beside
// the checkout (../shared/corpus) or where AWDIT_CORPUS says, and is skipped
// otherwise. INDEX.tsv there has a header line and the columns path, format,
// source, licence, txns, ops, sessions, expected verdict, stated by.
#include <gtest/gtest.h>

#include <algorithm>
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
#include "oracle/oracle.h"
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
  std::string path;
  std::string_view from;  // a level, or "counts"
  std::string reason;
};

const std::vector<Excuse>& excuses() {
  static const std::vector<Excuse> list = {
      {"elle-inline/list-append/info-nil-read-acyclic.edn", "counts",
       "without :process each operation is a session of its own, and a nil "
       "read of an :info operation is no read"},
  };
  return list;
}

bool excused(const std::string& path, std::string_view from) {
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

// A statement in our words.
struct Demand {
  const Level* level;
  Verdict verdict;
};

// What the statements of a row demand of our levels, with the order of sessions
// or without it. A level that holds implies others, one that is violated is
// implied by others.
std::vector<Demand> demands(const Row& row, bool session_order) {
  static const std::map<std::string, std::string_view> ours{
      {"RC", "read-committed"},
      {"RA", "read-atomic"},
      {"CC", "causal"},
      {"PC", "prefix"},
      {"PSI", "parallel-snapshot-isolation"},
      {"SI", "snapshot-isolation"},
      {"SER", "serializable"},
      {"strong-SI", "strong-snapshot-isolation"},
      {"SSER", "strict-serializable"}};
  // Elle's levels have no session order but where they say so. Its Read
  // Committed is Adya's.
  static const std::map<std::string, std::string_view> in_sessions{
      {"strong-session-RC", "adya-read-committed"},
      {"strong-session-SI", "snapshot-isolation"},
      {"strong-session-SER", "serializable"}};
  const bool elle = row.path.rfind("elle-inline/", 0) == 0;
  std::map<const Level*, Verdict> found;
  const auto& names = elle && session_order ? in_sessions : ours;
  if (!elle && !session_order) return {};
  for (const auto& [stated, verdict] : row.stated) {
    const auto name = names.find(stated);
    if (name == names.end()) continue;
    const Level& said = *find_row(levels(), name->second);
    const bool valid = verdict == "valid";
    for (const Level& level : levels()) {
      if (valid ? implies(said, level) : implies(level, said)) {
        found[&level] = valid ? Verdict::holds : Verdict::violated;
      }
    }
  }
  std::vector<Demand> result;
  for (const auto& [level, verdict] : found) result.push_back({level, verdict});
  return result;
}

// How long levels may take that nobody says anything about, in seconds.
constexpr double kPatience = 20;

void check_levels(const History& history, const Row& row) {
  const std::vector<Demand> wanted = demands(row, history.session_order());
  const bool small = history.num_txns() <= 7;
  const oracle::Facts facts =
      small ? oracle::resolve(history) : oracle::Facts();
  Options options;
  options.threads = 2;
  options.commit_order = true;
  const bool strong_ones_matter =
      std::any_of(wanted.begin(), wanted.end(), [](const Demand& demand) {
        return demand.level->cycles != Cycles::by_axiom;
      });
  if (!strong_ones_matter) options.time_limit = kPatience;
  const Result<Report> report =
      check(history, applicable_levels(history), options);
  ASSERT_TRUE(report) << to_string(report.error());
  for (const LevelReport& found : report->levels) {
    const Level* const level = found.level;
    SCOPED_TRACE(testing::Message()
                 << level->name
                 << (history.session_order() ? "" : " without session order"));
    for (const Demand& demand : wanted) {
      if (demand.level != level) continue;
      EXPECT_NE(found.verdict == demand.verdict, excused(row.path, level->name))
          << "we say " << name(found.verdict);
    }
    if (small) {
      EXPECT_EQ(oracle::brute_force(facts, *oracle::find_oracle(level->name)),
                found.verdict == Verdict::holds)
          << "by definition";
    }
    if (found.verdict == Verdict::undecided) continue;
    const LevelCheck checked = verify(history, found);
    EXPECT_TRUE(checked.accepted) << checked.objection;
  }
}

void check_row(const fs::path& directory, const Row& row,
               bool name_the_format) {
  const Format* const format =
      find_row(formats(), known_formats().at(row.format));
  ASSERT_NE(format, nullptr);
  Result<Loaded> loaded = read_history((directory / row.path).string(),
                                       name_the_format ? format : nullptr, 2);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_EQ(loaded->format, format);
  History history = std::move(loaded->history);
  const bool counts_agree = history.num_txns() == row.txns &&
                            history.num_ops() == row.ops &&
                            history.num_sessions() == row.sessions;
  EXPECT_NE(counts_agree, excused(row.path, "counts"))
      << history.num_txns() << " transactions (" << row.txns << "), "
      << history.num_ops() << " operations (" << row.ops << "), "
      << history.num_sessions() << " sessions (" << row.sessions << ")";
  // Told or guessed, the format is the same: one of the two is enough.
  if (!name_the_format) return;
  check_levels(history, row);
  if (demands(row, false).empty()) return;
  check_levels(std::move(history).without_session_order(), row);
}

TEST(Corpus, StatedCountsAndVerdictsAreReproduced) {
  const std::optional<fs::path> directory = corpus();
  if (!directory) GTEST_SKIP() << "skipped: no corpus";
  const std::vector<Row> all = rows(*directory);
  ASSERT_FALSE(all.empty());
  std::size_t verdicts = 0;
  for (const Row& row : all) {
    SCOPED_TRACE(row.path);
    verdicts += demands(row, true).size() + demands(row, false).size();
    for (bool name_the_format : {true, false}) {
      check_row(*directory, row, name_the_format);
    }
  }
  EXPECT_GT(verdicts, 0u);
  RecordProperty("verdicts", static_cast<int>(verdicts));
}

}  // namespace
}  // namespace awdit
