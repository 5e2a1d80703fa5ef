// Walks the samples of every format:
//
//   <format>/accepted/<case>.*   with <case>.expect: the history it gives
//   <format>/rejected/<case>.*   with <case>.expect: the error, byte by byte
//
// A sample is a file of any extension, or a directory. It is added by adding
// it; AWDIT_UPDATE_EXPECT=1 writes what is
// found instead of comparing, for a person to read in the diff.
#include "format/format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/table.h"
#include "history/text.h"

namespace awdit {
namespace {

namespace fs = std::filesystem;

struct Sample {
  const Format* format;
  bool accepted;
  fs::path path;
};

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Sample> samples() {
  std::vector<Sample> found;
  for (const Format& format : formats()) {
    for (const bool accepted : {true, false}) {
      const fs::path folder = fs::path(AWDIT_SAMPLES) / format.name /
                              (accepted ? "accepted" : "rejected");
      for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".expect") {
          found.push_back({&format, accepted, entry.path()});
        }
      }
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Sample& a, const Sample& b) { return a.path < b.path; });
  return found;
}

// Everything a reader may see of a history: counts, operations, names, places
// and warnings.
std::string describe(const History& history) {
  std::ostringstream out;
  out << history.num_sessions() << " sessions, " << history.num_txns()
      << " transactions, " << history.num_ops() << " operations, "
      << history.num_keys() << " keys, initial value "
      << (history.initial_value() ? history.to_string(*history.initial_value())
                                  : "none")
      << '\n'
      << to_text(history);
  for (const TxnId txn : history.txns()) {
    const auto show = [&](std::string_view what,
                          const std::optional<History::Times>& times) {
      if (!times) return;
      const auto time = [](std::int64_t t) {
        return t == kNoTime ? std::string("?") : std::to_string(t);
      };
      out << what << " of " << history.txn_name(txn) << ": "
          << time(times->begin) << " to " << time(times->end) << '\n';
    };
    show(name(history.clock()), history.times(txn));
    show("ticks", history.ticks(txn));
    if (history.clock_domains().size() != 0) {
      out << "clock of " << history.txn_name(txn) << ": "
          << history.clock_domains().names()[history.clock_domain(txn)] << '\n';
    }
    if (!history.node(txn).empty()) {
      out << "node of " << history.txn_name(txn) << ": " << history.node(txn)
          << '\n';
    }
    if (!history.meta(txn).empty()) {
      out << "meta of " << history.txn_name(txn) << ": " << history.meta(txn)
          << '\n';
    }
    out << "lines of " << history.txn_name(txn) << ':';
    for (const OpId op : history.ops(txn)) {
      out << ' ' << history.place(op).line;
    }
    out << '\n';
  }
  for (const auto& relation : history.clock_domains().relations()) {
    const auto names = history.clock_domains().names();
    out << "clock of " << names[relation.to] << ": " << relation.offset
        << " more than that of " << names[relation.from] << ", give or take "
        << relation.error << '\n';
  }
  for (const std::string& json : history.about()) {
    out << "about: " << json << '\n';
  }
  for (const std::string& warning : history.warnings()) {
    out << "warning: " << warning << '\n';
  }
  return out.str();
}

// The outcome of reading a sample as text; paths are cut to the file's name.
std::string outcome(const Sample& sample, unsigned threads) {
  const Result<Loaded> loaded =
      read_history(sample.path.string(), sample.format, threads);
  if (loaded) return describe(loaded->history);
  std::string text = to_string(loaded.error());
  const std::string path = sample.path.string();
  for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos;) {
    text.replace(at, path.size(), sample.path.filename().string());
  }
  return text;
}

class SampleTest : public testing::TestWithParam<Sample> {};

TEST_P(SampleTest, GivesWhatIsExpected) {
  const Sample& sample = GetParam();
  const std::string found = outcome(sample, 1);
  fs::path expect = sample.path;
  expect.replace_extension(".expect");
  if (std::getenv("AWDIT_UPDATE_EXPECT") != nullptr) {
    std::ofstream(expect, std::ios::binary) << found;
    return;
  }
  ASSERT_TRUE(fs::exists(expect)) << expect << " is missing";
  EXPECT_EQ(found, slurp(expect));
  const bool accepted =
      read_history(sample.path.string(), sample.format, 1).has_value();
  EXPECT_EQ(accepted, sample.accepted) << found;
  EXPECT_EQ(found, outcome(sample, 2));
  EXPECT_EQ(found, outcome(sample, 7));
}

TEST_P(SampleTest, LooksLikeItsFormatOnly) {
  const Sample& sample = GetParam();
  if (fs::is_directory(sample.path)) GTEST_SKIP() << "see CLI tests";
  const std::string bytes = slurp(sample.path);
  for (const Format& format : formats()) {
    const bool similar = format.sniff(std::string_view(bytes).substr(0, 4096));
    if (&format != sample.format) {
      EXPECT_FALSE(similar) << "looks like " << format.name;
    } else if (sample.accepted) {
      EXPECT_TRUE(similar) << "not recognised";
    }
  }
}

std::string test_name(const testing::TestParamInfo<Sample>& info) {
  std::string name = std::string(info.param.format->name) +
                     (info.param.accepted ? "_accepts_" : "_rejects_") +
                     info.param.path.stem().string();
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleTest, testing::ValuesIn(samples()),
                         test_name);

TEST(FormatTable, NamesAndAliasesAreKebabCaseAndUnique) {
  std::set<std::string_view> seen;
  for (const Format& format : formats()) {
    std::vector<std::string_view> names(format.aliases.begin(),
                                        format.aliases.end());
    names.push_back(format.name);
    for (const std::string_view name : names) {
      EXPECT_TRUE(seen.insert(name).second) << name << " stands there twice";
      EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
                std::string_view::npos)
          << name;
      EXPECT_EQ(find_row(formats(), name), &format);
    }
    EXPECT_FALSE(format.summary.empty());
  }
}

TEST(FormatTable, EverySampleHasAnExpectationAndViceVersa) {
  std::set<fs::path> sampled;
  for (const Sample& sample : samples()) {
    sampled.insert(fs::path(sample.path).replace_extension(".expect"));
  }
  for (const auto& entry : fs::recursive_directory_iterator(AWDIT_SAMPLES)) {
    if (entry.path().extension() == ".expect") {
      EXPECT_TRUE(sampled.contains(entry.path()))
          << entry.path() << " expects nothing";
    }
  }
}

TEST(ReadHistory, SaysThatAFileIsMissing) {
  const Result<Loaded> loaded = read_history("no-such-file", nullptr, 1);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().where, "no-such-file");
  EXPECT_FALSE(loaded.error().hint.empty());
}

TEST(ReadHistory, SaysThatADirectoryHoldsNoFile) {
  const fs::path path = fs::path(testing::TempDir()) / "folder-of-folders";
  fs::create_directories(path / "inner");
  const Result<Loaded> loaded = read_history(path.string(), nullptr, 1);
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().message, "this directory holds directories only");
  fs::remove_all(path);
}

TEST(ReadHistory, NamesTheKnownFormatsWhenItRecognisesNone) {
  const fs::path path = fs::path(testing::TempDir()) / "unrecognised.txt";
  std::ofstream(path) << "Dear diary,\n";
  const Result<Loaded> loaded = read_history(path.string(), nullptr, 1);
  ASSERT_FALSE(loaded.has_value());
  for (const Format& format : formats()) {
    EXPECT_NE(loaded.error().hint.find(format.name), std::string::npos);
  }
  fs::remove(path);
}

}  // namespace
}  // namespace awdit
