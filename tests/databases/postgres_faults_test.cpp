// What happens to PostgreSQL, and what sessions hear of it. The servers are
// started by the driver: a primary with a standby, behind the proxy.
#include <gtest/gtest.h>

#include "unit/driver/by_hand.h"

namespace awdit {
namespace {

class PostgresFaults : public ByHand {
 protected:
  PostgresFaults() : ByHand("postgres") {}

  // All of it anew for each test: a fault must not outlive one.
  void start(std::string_view level, Knobs knobs,
             std::vector<Fault> faults = {}) {
    DatabaseOptions options =
        options_of(*driver_, "postgres", level, std::move(knobs));
    options.start = true;
    options.faults = std::move(faults);
    options.timeout_seconds = 2;
    options.seed = 7;
    auto started = driver_->open(options);
    if (!started) {
      const std::string& why = started.error().message;
      // A server that is installed must start.
      ASSERT_NE(why.find("is installed"), std::string::npos)
          << to_string(started.error());
      GTEST_SKIP() << why;
    }
    database_ = std::move(*started);
    reset();
  }
  void begin(Fault fault) {
    ASSERT_TRUE(database_->can(fault));
    const Outcome trouble = database_->begin_fault(fault, random_);
    EXPECT_FALSE(trouble) << to_string(*trouble);
  }
  void end(Fault fault) {
    const Outcome trouble = database_->end_fault(fault);
    EXPECT_FALSE(trouble) << to_string(*trouble);
  }

  Random random_{1};
};

TEST_F(PostgresFaults, KillLosesConnectionsAndKeepsCommits) {
  start("serializable", {});
  if (!database_) return;
  EXPECT_FALSE(database_->can(Fault::drop_commit)) << "there is no proxy";
  EXPECT_FALSE(database_->can(Fault::stale)) << "there is no standby";
  Connection& session = connect();
  write_alone(session, "x", 1);
  EXPECT_ANSWER(session, begin(false), Answer::done);
  EXPECT_ANSWER(session, write("x", 2, ""), Answer::done);
  begin(Fault::kill);
  EXPECT_ANSWER(session, commit(), Answer::lost);
  EXPECT_EQ(session.trouble().code, "08006") << session.trouble().text;
  EXPECT_FALSE(database_->connect(0, 0));
  end(Fault::kill);
  EXPECT_EQ(committed_id(connect(), "x"), 1u);
  // And once more: whatever a kill leaves behind does no harm.
  begin(Fault::kill);
  end(Fault::kill);
  EXPECT_EQ(committed_id(connect(), "x"), 1u);
}

TEST_F(PostgresFaults, ASessionGivesUpOnAPausedServer) {
  start("serializable", {}, {Fault::drop_commit});
  if (!database_) return;
  Connection& waiting = connect();
  Connection& idle = connect();
  EXPECT_ANSWER(waiting, begin(false), Answer::done);
  begin(Fault::pause);
  EXPECT_ANSWER(waiting, commit(), Answer::lost);
  EXPECT_EQ(waiting.trouble().code, "HYT00") << waiting.trouble().text;
  EXPECT_FALSE(database_->connect(0, 0)) << "nobody answers";
  end(Fault::pause);
  EXPECT_EQ(committed_id(idle, "x"), 0u) << "this one did not notice";
}

TEST_F(PostgresFaults, AStandbyReadsAndMayBeStale) {
  start("serializable", {{"standbys", "1"}});
  if (!database_) return;
  EXPECT_EQ(database_->nodes(),
            (std::vector<std::string>{"primary", "standby1"}));
  EXPECT_EQ(database_->reported_level(),
            "serializable, repeatable read at standby1");
  EXPECT_NE(database_->describe().find("1 standby, fsync=off"),
            std::string::npos)
      << database_->describe();
  Connection& primary = connect(0);
  Connection& standby = connect(1);
  EXPECT_EQ(committed_id(standby, "x"), 0u);

  begin(Fault::stale);
  write_alone(primary, "x", 1);
  EXPECT_EQ(committed_id(primary, "x"), 1u);
  EXPECT_EQ(committed_id(standby, "x"), 0u);
  end(Fault::stale);
  EXPECT_EQ(committed_id(standby, "x"), 1u);

  EXPECT_ANSWER(standby, begin(false), Answer::done);
  EXPECT_ANSWER(standby, write("x", 2, ""), Answer::refused);
  EXPECT_EQ(standby.trouble().code, "25006");
  EXPECT_ANSWER(standby, rollback(), Answer::done);

  // At least one session of each node.
  begin(Fault::terminate);
  end(Fault::terminate);
  for (Connection* session : {&primary, &standby}) {
    EXPECT_ANSWER(*session, begin(true), Answer::lost);
    EXPECT_EQ(session->trouble().code, "57P01");
  }

  // It goes on following a primary that was killed.
  begin(Fault::kill);
  EXPECT_EQ(committed_id(connect(1), "x"), 1u);
  end(Fault::kill);
  write_alone(connect(0), "x", 3);
  begin(Fault::stale);
  end(Fault::stale);  // returns when it has caught up
  EXPECT_EQ(committed_id(connect(1), "x"), 3u);
}

TEST_F(PostgresFaults, ADroppedCommitHappenedOrNot) {
  start("read-committed", {}, {Fault::drop_commit});
  if (!database_) return;
  constexpr WriteId kTries = 40;
  begin(Fault::drop_commit);
  WriteId kept = 0;
  WriteId newest = 0;
  for (WriteId id = 1; id <= kTries; ++id) {
    Connection& session = connect();
    EXPECT_ANSWER(session, begin(false), Answer::done);
    EXPECT_ANSWER(session, write("x", id, ""), Answer::done);
    EXPECT_ANSWER(session, commit(), Answer::lost);
    // Ends without COMMIT, and so is left alone.
    Connection& witness = connect();
    EXPECT_ANSWER(witness, begin(true), Answer::done);
    const WriteId seen = read_id(witness, "x");
    EXPECT_ANSWER(witness, rollback(), Answer::done);
    if (seen == id) {
      ++kept;
      newest = id;
    }
    EXPECT_EQ(seen, newest);
    sessions_.clear();
  }
  end(Fault::drop_commit);
  // The seed draws; all or none of 40 would be 1 in 2^39.
  EXPECT_GT(kept, 0u);
  EXPECT_LT(kept, kTries);
  write_alone(connect(), "x", 99);
}

TEST_F(PostgresFaults, AKillLosesCommitsThatWereAsynchronous) {
  start("read-committed", {{"synchronous-commit", "off"}});
  if (!database_) return;
  EXPECT_NE(database_->describe().find("synchronous_commit=off"),
            std::string::npos);
  // The server may happen to write its log just before.
  int lost = 0;
  for (int round = 0; round < 10 && lost == 0; ++round) {
    reset();
    Connection& before = connect();
    constexpr WriteId kWrites = 200;
    for (WriteId id = 1; id <= kWrites; ++id) {
      write_alone(before, "k" + std::to_string(id), id);
    }
    begin(Fault::kill);
    end(Fault::kill);
    Connection& after = connect();
    EXPECT_EQ(committed_id(after, "x"), 0u) << "what was loaded is safe";
    for (WriteId id = 1; id <= kWrites; ++id) {
      if (committed_id(after, "k" + std::to_string(id)) == kAbsent) ++lost;
    }
  }
  EXPECT_GT(lost, 0);
}

}  // namespace
}  // namespace awdit
