// The simulated database, step by step: what each level lets happen and what it
// refuses, lists, answers that get lost, and what it forgets. That levels hold
// and bugs are found is tests/property/simulated_test.cpp.
#include "simulated/simulated.h"

#include <fstream>
#include <sstream>

#include "simulated/version_store.h"
#include "unit/driver/by_hand.h"

namespace awdit {
namespace {

// No transaction misses what was committed before it began.
const Knobs kPrompt = {{"lag", "0"}};

class Simulated : public ByHand {
 protected:
  Simulated() : ByHand("simulated") {}

  void open_promptly(std::string_view level) { open(level, kPrompt); }
  Connection& begun() {
    Connection& session = connect();
    EXPECT_ANSWER(session, begin(false), Answer::done);
    return session;
  }
  std::string error_of(std::string_view level, Knobs knobs) {
    auto opened = driver_->open(
        options_of(*driver_, "simulated", level, std::move(knobs)));
    EXPECT_FALSE(opened);
    return opened ? "" : opened.error().message;
  }
  static std::vector<WriteId> list_of(Connection& session,
                                      std::string_view key) {
    std::vector<WriteId> elements;
    EXPECT_NE(session.read_list(key, elements), Answer::refused);
    return elements;
  }
};

class SimulatedLevel : public Simulated,
                       public testing::WithParamInterface<std::string_view> {};
TEST_P(SimulatedLevel, Basics) {
  open_promptly(GetParam());
  EXPECT_EQ(database_->reported_level(), GetParam());
  expect_basics();
}
TEST_P(SimulatedLevel, AppendsAreMergedInTheOrderOfCommits) {
  open_promptly(GetParam());
  Connection& a = begun();
  Connection& b = begun();
  EXPECT_ANSWER(a, append("l", 1), Answer::done);
  EXPECT_ANSWER(b, append("l", 2), Answer::done);
  EXPECT_ANSWER(a, append("l", 3), Answer::done);
  EXPECT_ANSWER(b, commit(), Answer::done);
  const bool first_wins = GetParam() == "snapshot-isolation" ||
                          GetParam() == "parallel-snapshot-isolation";
  const Answer expected = first_wins ? Answer::refused : Answer::done;
  EXPECT_ANSWER(a, commit(), expected);
  EXPECT_EQ(list_of(begun(), "l"), first_wins
                                       ? std::vector<WriteId>({2})
                                       : std::vector<WriteId>({2, 1, 3}));
}
TEST_P(SimulatedLevel, AListReadWithOwnElementsMustStayTheEnd) {
  open_promptly(GetParam());
  Connection& a = begun();
  Connection& b = begun();
  EXPECT_ANSWER(a, append("l", 1), Answer::done);
  EXPECT_EQ(list_of(a, "l"), std::vector<WriteId>{1});
  EXPECT_ANSWER(b, append("l", 2), Answer::done);
  EXPECT_ANSWER(b, commit(), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::refused);
  EXPECT_EQ(a.trouble().code, "conflict");
}
INSTANTIATE_TEST_SUITE_P(All, SimulatedLevel,
                         testing::Values("serializable", "snapshot-isolation",
                                         "parallel-snapshot-isolation",
                                         "prefix", "causal", "read-atomic",
                                         "read-committed"),
                         [](const auto& level) {
                           std::string name(level.param);
                           std::erase(name, '-');
                           return name;
                         });

// Of read-committed nobody may expect it.
TEST_F(Simulated, ASessionSeesItsCommitsOnANewConnection) {
  for (const std::string_view level :
       {"serializable", "snapshot-isolation", "parallel-snapshot-isolation",
        "prefix", "causal", "read-atomic"}) {
    open(level, {{"lag", "1000"}});
    Connection& other = connect();
    connect();
    for (WriteId id = 1; id <= 200; id += 2) {
      write_alone(other, "y", id);
      write_alone(*sessions_[1], "x", id + 1);
      auto again = database_->connect(1, 0);
      ASSERT_TRUE(again);
      sessions_[1] = std::move(*again);
      EXPECT_EQ(committed_id(*sessions_[1], "x"), id + 1) << level;
    }
  }
}

// -- what levels differ in ----------------------------------------------------

TEST_F(Simulated, SnapshotsStayWhatTheyAre) {
  for (const std::string_view level :
       {"serializable", "snapshot-isolation", "parallel-snapshot-isolation",
        "prefix", "causal"}) {
    open_promptly(level);
    Connection& a = begun();
    write_alone(connect(), "x", 1);
    EXPECT_EQ(read_id(a, "x"), 0U) << level;
    EXPECT_ANSWER(a, commit(), Answer::done);
    EXPECT_EQ(committed_id(a, "x"), 1U) << level;
  }
}

TEST_F(Simulated, ReadCommittedSeesBothOldAndNewButNeverGoesBack) {
  int old = 0, turned = 0;
  open_promptly("read-committed");
  Connection& b = connect();
  Connection& a = connect();
  for (WriteId id = 1; id <= 200; ++id) {
    EXPECT_ANSWER(a, begin(true), Answer::done);
    write_alone(b, "x", id);
    const WriteId first = read_id(a, "x");
    const WriteId second = read_id(a, "x");
    EXPECT_TRUE(first == id || first == id - 1);
    EXPECT_TRUE(second == id || second == first);
    old += second == id - 1;
    turned += first != second;
    EXPECT_ANSWER(a, commit(), Answer::done);
  }
  EXPECT_GT(old, 10);
  EXPECT_GT(turned, 10);
}

TEST_F(Simulated, ReadAtomicSeesAllOfATransactionOrNothing) {
  int old = 0, fresh = 0;
  open_promptly("read-atomic");
  Connection& b = connect();
  Connection& a = connect();
  for (WriteId id = 1; id <= 200; ++id) {
    EXPECT_ANSWER(a, begin(true), Answer::done);
    EXPECT_ANSWER(b, begin(false), Answer::done);
    EXPECT_ANSWER(b, write("x", id, ""), Answer::done);
    EXPECT_ANSWER(b, write("y", id, ""), Answer::done);
    EXPECT_ANSWER(b, commit(), Answer::done);
    const WriteId x = read_id(a, "x");
    EXPECT_EQ(read_id(a, "y"), x);
    EXPECT_EQ(read_id(a, "x"), x);
    (x == id ? fresh : old) += 1;
    EXPECT_ANSWER(a, commit(), Answer::done);
  }
  EXPECT_GT(old, 10);
  EXPECT_GT(fresh, 10);
}

TEST_F(Simulated, WhoUpdatesWhatChangedIsRefusedFromParallelSnapshotsOn) {
  for (const auto& [level, answer] :
       {std::pair{"serializable", Answer::refused},
        {"snapshot-isolation", Answer::refused},
        {"parallel-snapshot-isolation", Answer::refused},
        {"prefix", Answer::done},
        {"causal", Answer::done}}) {
    open_promptly(level);
    Connection& a = begun();
    Connection& b = begun();
    for (Connection* session : {&a, &b}) {
      EXPECT_EQ(read_id(*session, "x"), 0U);
      EXPECT_ANSWER(*session, write("x", session == &a ? 1 : 2, ""),
                    Answer::done);
    }
    EXPECT_ANSWER(a, commit(), Answer::done);
    EXPECT_ANSWER(b, commit(), answer);
    // Refused or not, the connection goes on.
    EXPECT_ANSWER(b, rollback(), Answer::done);
    EXPECT_EQ(committed_id(b, "x"), answer == Answer::done ? 2U : 1U) << level;
  }
}

TEST_F(Simulated, WriteSkewIsRefusedOnlyIfSerializable) {
  for (const auto& [level, answer] :
       {std::pair{"serializable", Answer::refused},
        {"snapshot-isolation", Answer::done}}) {
    open_promptly(level);
    Connection& a = begun();
    Connection& b = begun();
    for (Connection* session : {&a, &b}) {
      EXPECT_EQ(read_id(*session, "x"), 0U);
      EXPECT_EQ(read_id(*session, "y"), 0U);
    }
    EXPECT_ANSWER(a, write("x", 1, ""), Answer::done);
    EXPECT_ANSWER(b, write("y", 2, ""), Answer::done);
    EXPECT_ANSWER(a, commit(), Answer::done);
    EXPECT_ANSWER(b, commit(), answer);
  }
}

TEST_F(Simulated, WhatWasAbsentAndThenWrittenIsAConflictToo) {
  open_promptly("serializable");
  Connection& a = begun();
  EXPECT_EQ(read_id(a, "new"), kAbsent);
  write_alone(connect(), "new", 1);
  EXPECT_ANSWER(a, write("x", 2, ""), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::refused);
  EXPECT_NE(a.trouble().text.find("new"), std::string::npos);
}

TEST_F(Simulated, WhoOnlyReadsIsNeverRefused) {
  open_promptly("serializable");
  Connection& a = begun();
  EXPECT_EQ(read_id(a, "x"), 0U);
  write_alone(connect(), "x", 1);
  EXPECT_ANSWER(a, commit(), Answer::done);
}

// -- answers to order ---------------------------------------------------------

TEST_F(Simulated, RandomRefusalsAreAsManyAsAskedFor) {
  open("prefix", {{"aborts", "25"}, {"lag", "0"}});
  Connection& a = connect();
  int refused = 0;
  WriteId last = 0;
  for (WriteId id = 1; id <= 2000; ++id) {
    EXPECT_ANSWER(a, begin(false), Answer::done);
    EXPECT_EQ(read_id(a, "x"), last);
    EXPECT_ANSWER(a, write("x", id, ""), Answer::done);
    const Answer answer = a.commit();
    if (answer == Answer::done) {
      last = id;
      continue;
    }
    EXPECT_EQ(answer, Answer::refused);
    EXPECT_EQ(a.trouble().code, "aborted");
    EXPECT_EQ(read_id(a, "x"), kFailed);
    EXPECT_ANSWER(a, rollback(), Answer::done);
    ++refused;
  }
  EXPECT_NEAR(refused, 500, 100);
}

TEST_F(Simulated, HalfOfTheLostCommitsTookEffect) {
  open("serializable", {{"unknown", "100"}, {"lag", "0"}});
  Connection& reader = connect();
  int effects = 0;
  WriteId last = 0;
  for (WriteId id = 1; id <= 1000; ++id) {
    EXPECT_ANSWER(reader, begin(true), Answer::done);
    const WriteId seen = read_id(reader, "x");
    EXPECT_ANSWER(reader, rollback(), Answer::done);
    EXPECT_TRUE(seen == last || seen == id - 1);
    effects += seen != last;
    last = seen;
    Connection& writer = begun();
    EXPECT_ANSWER(writer, write("x", id, ""), Answer::done);
    EXPECT_ANSWER(writer, commit(), Answer::lost);
    EXPECT_EQ(writer.trouble().code, "lost");
    // It will never answer again.
    EXPECT_ANSWER(writer, begin(false), Answer::lost);
    EXPECT_ANSWER(writer, rollback(), Answer::lost);
    sessions_.pop_back();
  }
  EXPECT_NEAR(effects, 500, 100);
}

TEST_F(Simulated, SaysWhatIsWrongWithItsSettings) {
  EXPECT_EQ(error_of("prefix", {{"bug", "abort"}}).substr(0, 53),
            "unknown bug 'abort'; did you mean 'aborted'? Known: a");
  EXPECT_EQ(error_of("prefix", {{"bug", "write-skew"}}),
            "the bug write-skew breaks serializable, which prefix does not "
            "promise");
  EXPECT_EQ(error_of("parallel-snapshot-isolation", {{"bug", "long-fork"}}),
            "the bug long-fork breaks prefix, which "
            "parallel-snapshot-isolation does not promise");
  for (const char* const text : {"101", "-1", "ten", "", "1x", "nan"}) {
    EXPECT_EQ(error_of("prefix", {{"rate", text}}),
              std::string("rate must be a number of percent, 0 to 100; found "
                          "'") +
                  text + "'");
  }
  EXPECT_EQ(error_of("prefix", {{"lag", "-1"}}),
            "lag must be a number of commits, 0 to 1000000; found '-1'");
  EXPECT_EQ(error_of("prefix", {{"bugs", "none"}}),
            "simulated has no setting 'bugs'");
  auto options = options_of(*driver_, "simulated:/somewhere", "prefix");
  EXPECT_FALSE(driver_->open(options));
}

TEST_F(Simulated, DescribesItsBug) {
  open("serializable", {{"bug", "causal"}, {"rate", "0.5"}});
  EXPECT_EQ(database_->describe(),
            "simulated store, seed 1, with the bug causal");
}

TEST(PlantedBugs, AreInTheDocumentation) {
  std::ifstream file(AWDIT_DOCS "/drivers/simulated.md");
  std::stringstream page;
  page << file.rdbuf();
  for (const PlantedBug& bug : planted_bugs()) {
    std::string row = "| `";
    row += bug.name;
    for (const std::string_view cell :
         {bug.summary, bug.breaks, bug.anomaly, bug.needs}) {
      row += cell == bug.summary ? "` | " : " | ";
      row += cell;
    }
    EXPECT_NE(page.str().find(row + " |\n"), std::string::npos) << row;
  }
}

// -- what it forgets ----------------------------------------------------------

TEST_F(Simulated, AnOldTransactionStillReadsWhatItSaw) {
  for (const std::string_view level :
       {"serializable", "causal", "read-atomic", "read-committed"}) {
    open_promptly(level);
    Connection& a = begun();
    Connection& b = connect();
    for (WriteId id = 1; id <= 1000; ++id) {
      write_alone(b, "x", id);
    }
    const WriteId seen = read_id(a, "x");
    if (level == "serializable" || level == "causal") {
      EXPECT_EQ(seen, 0U) << level;
    }
    EXPECT_EQ(read_id(a, "nobody"), kAbsent);
    EXPECT_ANSWER(a, commit(), Answer::done);
  }
}

TEST(VersionStore, KeepsWhatCanBeReadAndLittleMore) {
  simulated::VersionStore store;
  const std::uint32_t x = store.key("x", false);
  const std::uint32_t list = store.key("x", true);
  EXPECT_NE(x, list);
  EXPECT_EQ(store.key("x", false), x);
  for (simulated::Instant at = 1; at <= 1000; ++at) {
    store.commit(7, {}).keys = {x};
    store.add(x, 7).id = at;
    EXPECT_EQ(store.now(), at);
    if (at > 10) store.forget_before(at - 10);
    const std::vector<simulated::Version>& versions = store[x].versions;
    EXPECT_LE(versions.size(), 24U);
    // The newest as of the horizon, and all later ones.
    const simulated::Instant oldest = at > 10 ? at - 10 : 1;
    EXPECT_LE(versions.front().at, oldest);
    EXPECT_EQ(versions.back().id, at);
    EXPECT_EQ(versions.back().at - versions.front().at + 1, versions.size());
    EXPECT_EQ(store.commit_at(at).keys, std::vector<std::uint32_t>{x});
  }
  EXPECT_TRUE(store[x].pruned);
  EXPECT_FALSE(store[list].pruned);
}

}  // namespace
}  // namespace awdit
