// What holds for every row of the table of workloads. The store of these tests
// holds each transaction against the rules while it is played: it begins, ends,
// does not write if it said so, and its keys are short texts.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "plain_store.h"

namespace awdit {
namespace {

constexpr std::uint32_t kSessions = 3;

// Loads that take seconds are made smaller.
SettingValues modest(const WorkloadKind& kind) {
  if (kind.name != "tpcc") return {};
  return {{"items", 200}, {"customers", 30}, {"orders", 30}};
}

class EveryWorkload : public testing::TestWithParam<WorkloadKind> {};

INSTANTIATE_TEST_SUITE_P(Table, EveryWorkload,
                         testing::ValuesIn(workloads().begin(),
                                           workloads().end()),
                         [](const auto& row) {
                           std::string name(row.param.name);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST_P(EveryWorkload, KeepsTheRulesAndDoesSomething) {
  Play play(GetParam().name, kSessions, modest(GetParam()));
  play.load();
  std::size_t reads = 0;
  std::size_t writes = 0;
  for (const PlayedTransaction& transaction : play.tasks(500)) {
    for (const PlayedStep& step : transaction.steps) {
      const bool is_list = step.kind == Request::Kind::append ||
                           step.kind == Request::Kind::read_list;
      EXPECT_EQ(is_list, GetParam().lists);
      const bool is_read = step.kind == Request::Kind::read ||
                           step.kind == Request::Kind::read_list;
      ++(is_read ? reads : writes);
    }
  }
  EXPECT_GT(reads, 100u);
  EXPECT_GT(writes, 100u);
}

TEST_P(EveryWorkload, IsTheSameForTheSameSeed) {
  std::vector<std::vector<PlayedTransaction>> runs;
  for (const std::uint64_t seed : {7u, 7u, 8u}) {
    Play play(GetParam().name, kSessions, modest(GetParam()), seed);
    play.load();
    runs.push_back(play.tasks(60));
  }
  EXPECT_EQ(runs[0], runs[1]);
  // Draws nothing: all depends on who comes when.
  if (GetParam().name == "write-skew") return;
  EXPECT_NE(runs[0], runs[2]);
}

TEST_P(EveryWorkload, LoadsTheSameForTheSameSeed) {
  Play one(GetParam().name, kSessions, modest(GetParam()));
  Play other(GetParam().name, kSessions, modest(GetParam()));
  one.load();
  other.load();
  EXPECT_EQ(one.store.rows, other.store.rows);
}

TEST_P(EveryWorkload, GoesOnWhenAllDataAreLost) {
  Play play(GetParam().name, kSessions, modest(GetParam()));
  EXPECT_GE(play.tasks(300).size(), 300u);
}

TEST_P(EveryWorkload, GoesOnWithWhatItDoesNotUnderstand) {
  using namespace std::string_literals;
  const std::string foreign[] = {
      "",
      "?",
      "|",
      "-5",
      "|||||||",
      "99999999999999999999999",
      "\xFF\0\x01"s,
      "999999999999999|999999999999999|999999999999999",
      "1|-1",
      "0|0|0|0|0",
      "-999999999999999|-999999999999999",
      std::string(20000, 'Z')};
  Play play(GetParam().name, kSessions, modest(GetParam()));
  Random random(3);
  play.store.answer = [&](std::string_view) {
    return Row{.exists = true,
               .payload = foreign[random.below(std::size(foreign))]};
  };
  EXPECT_GE(play.tasks(300).size(), 300u);
}

TEST_P(EveryWorkload, BearsTheLeastOfEverything) {
  SettingValues least;
  for (const Setting& setting : GetParam().settings) {
    least.emplace_back(setting.name, setting.least);
  }
  for (const std::uint32_t sessions : {1u, kSessions}) {
    Play play(GetParam().name, sessions, least);
    play.load();
    EXPECT_GE(play.tasks(100).size(), 100u);
    play.finale();
  }
}

TEST_P(EveryWorkload, BearsEachSettingAtItsLeastAndMost) {
  for (const Setting& setting : GetParam().settings) {
    EXPECT_LE(setting.least, setting.value);
    EXPECT_LE(setting.value, setting.most);
    for (const std::uint64_t value : {setting.least, setting.most}) {
      Play play(GetParam().name, kSessions, {{setting.name, value}});
      EXPECT_GE(play.tasks(20).size(), 20u) << setting.name << "=" << value;
    }
  }
}

TEST_P(EveryWorkload, BearsTheMostOfEverything) {
  SettingValues most;
  for (const Setting& setting : GetParam().settings) {
    most.emplace_back(setting.name, setting.most);
  }
  Play play(GetParam().name, kSessions, most);
  EXPECT_GE(play.tasks(10).size(), 10u);
}

// Small ones read at the end whatever was written, once, by eights.
TEST_P(EveryWorkload, ReadsAllKeysAtTheEndIfItIsSmall) {
  const std::set<std::string_view> large = {"c-twitter", "rubis", "tpcc",
                                            "blindw"};
  Play play(GetParam().name, kSessions, modest(GetParam()));
  if (large.contains(GetParam().name)) {
    EXPECT_FALSE(play.workload().finale());
    return;
  }
  play.load();
  std::set<std::string> written;
  for (const PlayedTransaction& transaction : play.tasks(1000)) {
    for (const PlayedStep& step : transaction.steps) {
      if (step.kind == Request::Kind::write ||
          step.kind == Request::Kind::append) {
        written.insert(step.key);
      }
    }
  }
  std::set<std::string> read;
  const std::vector<PlayedTransaction> finale = play.finale();
  for (std::size_t i = 0; i < finale.size(); ++i) {
    EXPECT_TRUE(finale[i].read_only);
    EXPECT_TRUE(finale[i].committed);
    EXPECT_LE(finale[i].steps.size(), 8u);
    EXPECT_TRUE(finale[i].steps.size() == 8 || i + 1 == finale.size());
    for (const PlayedStep& step : finale[i].steps) {
      EXPECT_EQ(step.kind, GetParam().lists ? Request::Kind::read_list
                                            : Request::Kind::read);
      EXPECT_TRUE(read.insert(step.key).second) << step.key << " twice";
    }
  }
  for (const std::string& key : written) EXPECT_TRUE(read.contains(key)) << key;
}

// -- the table ----------------------------------------------------------------

TEST(Workloads, NamesAreUsedOnce) {
  std::set<std::string_view> names;
  for (const WorkloadKind& kind : workloads()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_FALSE(kind.summary.empty());
    EXPECT_FALSE(kind.exposes.empty());
    for (const std::string_view alias : kind.aliases) {
      EXPECT_TRUE(names.insert(alias).second) << alias;
    }
    std::set<std::string_view> settings;
    for (const Setting& setting : kind.settings) {
      EXPECT_TRUE(settings.insert(setting.name).second) << setting.name;
    }
  }
}

// The page tells the settings, and the kinds of transactions.
TEST_P(EveryWorkload, IsDescribedAsItIs) {
  const std::string name(GetParam().name);
  std::ifstream file(AWDIT_DOCS "/workloads/" + name + ".md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str();
  for (const Setting& setting : GetParam().settings) {
    const std::string row = "| `" + std::string(setting.name) + "` | " +
                            std::to_string(setting.value) + " | " +
                            std::to_string(setting.least) + " to " +
                            std::to_string(setting.most) + " | " +
                            std::string(setting.summary) + " |\n";
    EXPECT_NE(page.find(row), page.npos) << "not in the page: " << row;
  }
  for (const std::string_view alias : GetParam().aliases) {
    EXPECT_NE(page.find("`" + std::string(alias) + "`"), page.npos) << alias;
  }
  Play play(name, kSessions, modest(GetParam()));
  play.load();
  std::set<std::string> labels;
  for (const PlayedTransaction& transaction : play.tasks(500)) {
    labels.insert(transaction.label);
  }
  for (const std::string& label : labels) {
    EXPECT_NE(page.find("`" + label + "`"), page.npos) << label;
  }
}

TEST(Workloads, SettingsRefuseWhatTheyDoNotKnow) {
  Settings settings(*find_row(workloads(), "bank"));
  EXPECT_EQ(settings["accounts"], 8u);
  EXPECT_FALSE(settings.set("accounts", 20));
  EXPECT_EQ(settings.number("accounts"), 20u);
  const Outcome range = settings.set("accounts", 1);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->message, "accounts of bank must be 2 to 10000; found 1");
  EXPECT_EQ(settings["accounts"], 20u);
  const Outcome name = settings.set("acounts", 5);
  ASSERT_TRUE(name);
  EXPECT_EQ(name->message,
            "bank has no setting 'acounts'; did you mean 'accounts'? Known: "
            "accounts, total, largest, reads, ordered");
}

}  // namespace
}  // namespace awdit
