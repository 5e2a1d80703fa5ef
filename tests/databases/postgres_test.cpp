// PostgreSQL, driven by hand: what each level allows and forbids, and what the
// answers are. One server for all tests; each opens it by its address, as if it
// were somebody else's.
#include <gtest/gtest.h>
#include <unistd.h>

#include "driver/postgres_link.h"
#include "server/server.h"
#include "unit/driver/by_hand.h"

namespace awdit {
namespace {

class Postgres : public ByHand {
 protected:
  static void SetUpTestSuite() {
    auto started = PostgresServers::start({}, postgres_ready);
    if (started) {
      servers_ = std::move(*started);
    } else {
      why_ = to_string(started.error());
    }
  }
  static void TearDownTestSuite() { servers_.reset(); }

  Postgres() : ByHand("postgres") {}

  void SetUp() override {
    if (servers_) return;
    // A server that is installed must start.
    ASSERT_NE(why_.find("is installed"), std::string::npos) << why_;
    GTEST_SKIP() << why_;
  }

  std::unique_ptr<Database> opened(std::string_view level) const {
    auto database = driver_->open(
        options_of(*driver_, "postgres:" + servers_->target(0), level));
    EXPECT_TRUE(database) << to_string(database.error());
    return std::move(*database);
  }
  void open(std::string_view level) {
    sessions_.clear();
    database_ = opened(level);
    reset();
  }

  // What a stranger does to our tables.
  void execute(const std::string& sql) {
    auto link = PostgresLink::open(servers_->target(0), "stranger", 10);
    ASSERT_TRUE(link) << to_string(link.error());
    EXPECT_EQ((*link)->query(sql), Answer::done) << (*link)->trouble().text;
  }

  // The first column of the first row.
  std::string asked(const std::string& sql) {
    auto link = PostgresLink::open(servers_->target(0), "stranger", 10);
    EXPECT_TRUE(link);
    EXPECT_EQ((*link)->query(sql), Answer::done) << (*link)->trouble().text;
    return std::string((*link)->cell(0, 0));
  }

  inline static std::unique_ptr<PostgresServers> servers_;
  inline static std::string why_;
};

TEST_F(Postgres, Basics) {
  for (const Promise& level : driver_->levels) {
    SCOPED_TRACE(level.name);
    open(level.name);
    expect_basics();
  }
}

TEST_F(Postgres, ManySessionsCount) {
  open("read-committed");
  expect_counting(false);
  for (const char* level : {"repeatable-read", "serializable"}) {
    SCOPED_TRACE(level);
    open(level);
    expect_counting(true);
  }
}

TEST_F(Postgres, SaysWhatItIs) {
  open("rr");
  EXPECT_EQ(database_->describe().find("PostgreSQL "), 0u);
  EXPECT_NE(database_->describe().find("/postgres"), std::string::npos);
  EXPECT_EQ(database_->reported_level(), "repeatable read");
  EXPECT_EQ(database_->nodes(), std::vector<std::string>{"primary"});
  EXPECT_TRUE(database_->can(Fault::terminate));
  for (const Fault fault :
       {Fault::kill, Fault::pause, Fault::stale, Fault::drop_commit}) {
    EXPECT_FALSE(database_->can(fault)) << "it is not ours";
  }
}

TEST_F(Postgres, LoadsManyRows) {
  open("rc");
  // More than one piece of COPY.
  const Outcome trouble = database_->reset([](const PutRow& put) {
    for (int i = 0; i < 5000; ++i) {
      put("key" + std::to_string(i), std::string(100, 'p'));
    }
  });
  ASSERT_FALSE(trouble) << to_string(*trouble);
  Connection& session = connect();
  EXPECT_EQ(committed_id(session, "x"), kAbsent);
  EXPECT_EQ(committed_id(session, "key0"), 0u);
  EXPECT_EQ(committed_id(session, "key4999"), 0u);
}

// COPY is refused (0A000) where rows have policies, as some servers of this
// protocol refuse it always. The trigger gives one to each table of ours.
TEST_F(Postgres, LoadsWithoutCopy) {
  execute(
      "DROP TABLE IF EXISTS awdit_kv, awdit_lists;"
      "CREATE ROLE plain; GRANT ALL ON SCHEMA public TO plain;"
      "CREATE FUNCTION guard() RETURNS event_trigger LANGUAGE plpgsql AS $$"
      "  DECLARE made record;"
      "  BEGIN FOR made IN SELECT * FROM pg_event_trigger_ddl_commands() LOOP"
      "    IF made.object_type = 'table' THEN EXECUTE format("
      "      'ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL "
      "SECURITY; CREATE POLICY everybody ON %1$s USING (true)',"
      "      made.object_identity); END IF; END LOOP; END $$;"
      "CREATE EVENT TRIGGER guarded ON ddl_command_end"
      "  WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION guard()");
  std::string target = servers_->target(0);
  const std::string none = "options=''";
  target.replace(target.find(none), none.size(), "options='-c role=plain'");
  auto database =
      driver_->open(options_of(*driver_, "postgres:" + target, "rc"));
  ASSERT_TRUE(database) << to_string(database.error());
  database_ = std::move(*database);
  const Outcome trouble = database_->reset([](const PutRow& put) {
    for (int i = 0; i < 250; ++i) put("key" + std::to_string(i), "\xff\n");
  });
  EXPECT_FALSE(trouble) << to_string(*trouble);
  Connection& session = connect();
  Content content;
  EXPECT_ANSWER(session, begin(true), Answer::done);
  for (int i = 0; i < 250; ++i) {
    EXPECT_ANSWER(session, read("key" + std::to_string(i), content),
                  Answer::done);
    EXPECT_EQ(content.id, 0u);
    EXPECT_EQ(content.payload, "\xff\n");
  }
  EXPECT_ANSWER(session, commit(), Answer::done);
  sessions_.clear();
  execute(
      "DROP EVENT TRIGGER guarded; DROP FUNCTION guard;"
      "DROP TABLE awdit_kv, awdit_lists; DROP OWNED BY plain; DROP ROLE plain");
}

TEST_F(Postgres, ReadCommittedSeesWhatIsCommittedMeanwhile) {
  open("read-committed");
  Connection& reader = connect();
  Connection& writer = connect();
  EXPECT_ANSWER(reader, begin(true), Answer::done);
  EXPECT_EQ(read_id(reader, "x"), 0u);
  EXPECT_ANSWER(writer, begin(false), Answer::done);
  EXPECT_ANSWER(writer, write("x", 1, ""), Answer::done);
  EXPECT_EQ(read_id(reader, "x"), 0u) << "not committed";
  EXPECT_ANSWER(writer, commit(), Answer::done);
  EXPECT_EQ(read_id(reader, "x"), 1u) << "committed";
  EXPECT_ANSWER(reader, commit(), Answer::done);
}

TEST_F(Postgres, RepeatableReadRepeatsAndRefusesLostUpdates) {
  open("repeatable-read");
  Connection& first = connect();
  Connection& second = connect();
  EXPECT_ANSWER(first, begin(false), Answer::done);
  EXPECT_EQ(read_id(first, "x"), 0u);
  write_alone(second, "x", 1);
  EXPECT_EQ(read_id(first, "x"), 0u);
  EXPECT_ANSWER(first, write("x", 2, ""), Answer::refused);
  EXPECT_EQ(first.trouble().code, "40001");
  // PostgreSQL answers ROLLBACK to this COMMIT, and no error.
  EXPECT_ANSWER(first, commit(), Answer::refused);
  EXPECT_EQ(first.trouble().code, "25P02");
  EXPECT_ANSWER(first, rollback(), Answer::done);
  EXPECT_EQ(committed_id(first, "x"), 1u);
}

TEST_F(Postgres, OnlySerializableForbidsWriteSkew) {
  for (const Promise& level : driver_->levels) {
    SCOPED_TRACE(level.name);
    const bool forbidden = level.name == "serializable";
    open(level.name);
    Connection& first = connect();
    Connection& second = connect();
    for (Connection* session : {&first, &second}) {
      EXPECT_ANSWER(*session, begin(false), Answer::done);
      EXPECT_EQ(read_id(*session, "x"), 0u);
      EXPECT_EQ(read_id(*session, "y"), 0u);
    }
    EXPECT_ANSWER(first, write("x", 1, ""), Answer::done);
    EXPECT_ANSWER(second, write("y", 2, ""), Answer::done);
    EXPECT_ANSWER(first, commit(), Answer::done);
    EXPECT_ANSWER(second, commit(), forbidden ? Answer::refused : Answer::done);
    if (forbidden) {
      EXPECT_EQ(second.trouble().code, "40001");
    }
    EXPECT_EQ(committed_id(second, "y"), forbidden ? 0u : 2u);
  }
}

TEST_F(Postgres, AReadForUpdateReadsTheNewestOrIsRefused) {
  for (const Promise& level : driver_->levels) {
    SCOPED_TRACE(level.name);
    const bool newest = level.claims == "read-committed";
    open(level.name);
    Connection& reader = connect();
    Connection& writer = connect();
    Content content;
    EXPECT_ANSWER(reader, begin(false), Answer::done);
    EXPECT_EQ(read_id(reader, "x"), 0u);
    write_alone(writer, "x", 1);
    EXPECT_ANSWER(reader, read_for_update("x", content),
                  newest ? Answer::done : Answer::refused);
    if (newest) {
      EXPECT_EQ(content.id, 1u);
    } else {
      EXPECT_EQ(reader.trouble().code, "40001");
    }
    EXPECT_ANSWER(reader, rollback(), Answer::done);
  }
}

TEST_F(Postgres, ADeadlockIsRefused) {
  open("read-committed");
  Connection& first = connect();
  Connection& second = connect();
  EXPECT_ANSWER(first, begin(false), Answer::done);
  EXPECT_ANSWER(second, begin(false), Answer::done);
  EXPECT_ANSWER(first, write("x", 1, ""), Answer::done);
  EXPECT_ANSWER(second, write("y", 2, ""), Answer::done);
  Answer other = Answer::done;
  std::thread waiting([&] { other = first.write("y", 3, ""); });
  const Answer own = second.write("x", 4, "");
  if (own != Answer::done) {
    EXPECT_EQ(second.trouble().code, "40P01");
    EXPECT_EQ(second.rollback(), Answer::done);
  }
  waiting.join();
  // One of them, whoever waited longer.
  EXPECT_TRUE((own == Answer::done) != (other == Answer::done));
  EXPECT_TRUE(own == Answer::refused || other == Answer::refused);
}

TEST_F(Postgres, ReadOnlyTransactionsDoNotWrite) {
  open("serializable");
  Connection& session = connect();
  EXPECT_ANSWER(session, begin(true), Answer::done);
  EXPECT_ANSWER(session, write("x", 1, ""), Answer::refused);
  EXPECT_EQ(session.trouble().code, "25006");
  EXPECT_ANSWER(session, rollback(), Answer::done);
  EXPECT_ANSWER(session, rollback(), Answer::done) << "twice does no harm";
  EXPECT_EQ(committed_id(session, "x"), 0u);
}

TEST_F(Postgres, WithoutATransactionNothingIsCommitted) {
  open("rc");
  Connection& session = connect();
  EXPECT_ANSWER(session, commit(), Answer::refused);
  EXPECT_EQ(session.trouble().code, "25P01");
  EXPECT_EQ(committed_id(session, "x"), 0u);
}

TEST_F(Postgres, AMissingTableIsFatal) {
  open("rc");
  Connection& session = connect();
  execute("DROP TABLE awdit_kv");
  EXPECT_ANSWER(session, begin(false), Answer::done);
  EXPECT_EQ(read_id(session, "x"), kFailed);
  EXPECT_EQ(session.trouble().code, "42P01");
  Content content;
  EXPECT_ANSWER(session, rollback(), Answer::done);
  EXPECT_ANSWER(session, begin(false), Answer::done);
  EXPECT_ANSWER(session, read("x", content), Answer::fatal);
  EXPECT_FALSE(database_->connect(0, 0));
}

// A trigger makes writes vanish: no error, and no row.
TEST_F(Postgres, AWriteThatDidNotHappenIsNone) {
  open("rc");
  execute(
      "CREATE OR REPLACE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql "
      "AS 'BEGIN RETURN NULL; END'; "
      "CREATE TRIGGER vanish BEFORE INSERT ON awdit_kv FOR EACH ROW "
      "EXECUTE FUNCTION nothing()");
  Connection& session = connect();
  EXPECT_ANSWER(session, begin(false), Answer::done);
  EXPECT_ANSWER(session, write("x", 1, ""), Answer::refused);
  EXPECT_EQ(session.trouble().code, "02000");
  EXPECT_ANSWER(session, rollback(), Answer::done);
}

TEST_F(Postgres, TerminateEndsSessionsOfThisRunOnly) {
  open("rc");
  const auto stranger = opened("rc");
  auto theirs = stranger->connect(0, 0);
  ASSERT_TRUE(theirs);
  Connection& mine = connect();
  EXPECT_ANSWER(mine, begin(false), Answer::done);
  Random random(1);
  EXPECT_FALSE(database_->begin_fault(Fault::terminate, random));
  EXPECT_FALSE(database_->end_fault(Fault::terminate));
  EXPECT_ANSWER(mine, commit(), Answer::lost);
  EXPECT_EQ(mine.trouble().code, "57P01");
  EXPECT_ANSWER(mine, rollback(), Answer::lost) << "once lost, always lost";
  EXPECT_EQ(committed_id(**theirs, "x"), 0u);
  EXPECT_EQ(committed_id(connect(), "x"), 0u);
}

// -- tables of others, and other runs -----------------------------------------

TEST_F(Postgres, TablesOfOthersStay) {
  open("rc");
  sessions_.clear();
  database_.reset();
  for (const char* table : {"awdit_kv", "awdit_lists"}) {
    SCOPED_TRACE(table);
    const std::string name(table);
    execute("DROP TABLE " + name + "; CREATE TABLE " + name +
            " (k TEXT COLLATE \"C\" PRIMARY KEY, wid BIGINT NOT NULL, payload "
            "BYTEA NOT NULL); INSERT INTO " +
            name + " VALUES ('precious', 7, '')");
    auto database = opened("rc");
    const auto nothing = [](const PutRow&) {};
    for (const Outcome& refused :
         {database->reset(nothing), database->drop()}) {
      ASSERT_TRUE(refused);
      EXPECT_EQ(refused->message, "there is a table " + name +
                                      " that awdit did not make; it stays as "
                                      "it is");
      EXPECT_NE(refused->hint.find("DROP TABLE " + name), std::string::npos);
    }
    EXPECT_EQ(asked("SELECT wid FROM " + name), "7");
    execute("DROP TABLE " + name);
    const Outcome failed = database->reset(nothing);
    EXPECT_FALSE(failed) << to_string(*failed);
  }
}

TEST_F(Postgres, DropsWhatIsOurs) {
  open("rc");
  sessions_.clear();
  const std::string count =
      "SELECT count(*) FROM pg_class WHERE relname LIKE 'awdit%'";
  EXPECT_NE(asked(count), "0");
  const Outcome failed = database_->drop();
  EXPECT_FALSE(failed) << to_string(*failed);
  EXPECT_EQ(asked(count), "0");
  EXPECT_FALSE(database_->drop()) << "twice does no harm";
}

TEST_F(Postgres, OneRunAtATime) {
  open("rc");
  write_alone(connect(), "x", 5);
  auto second = opened("rc");
  const auto nothing = [](const PutRow&) {};
  for (const Outcome& refused : {second->reset(nothing), second->drop()}) {
    ASSERT_TRUE(refused);
    const std::string text = to_string(*refused);
    EXPECT_NE(text.find("another run of awdit uses the tables awdit_* of this "
                        "database: process " +
                        std::to_string(getpid()) + " at "),
              std::string::npos)
        << text;
  }
  EXPECT_EQ(committed_id(connect(), "x"), 5u);
  // Another schema is another matter.
  execute("CREATE SCHEMA elsewhere");
  std::string target = servers_->target(0);
  const std::string none = "options=''";
  target.replace(target.find(none), none.size(),
                 "options='-c search_path=elsewhere'");
  auto third = driver_->open(options_of(*driver_, "postgres:" + target, "rc"));
  ASSERT_TRUE(third) << to_string(third.error());
  Outcome failed = (*third)->reset(nothing);
  EXPECT_FALSE(failed) << to_string(*failed);
  EXPECT_FALSE((*third)->drop());
  // When the first is over, the second may.
  sessions_.clear();
  database_.reset();
  failed = second->reset(nothing);
  EXPECT_FALSE(failed) << to_string(*failed);
}

// -- addresses, without a server ----------------------------------------------

TEST(PostgresAddress, PasswordsStayUntold) {
  for (const char* url :
       {"postgres://me:hunter2@/none?host=/nowhere",
        "postgres://me:hunter2%zz@localhost/x",
        "postgresql://me:hunter2@localhost:1/x?nonsense=hunter2",
        "postgres:host=/nowhere password=hunter2 what",
        // What should have been escaped.
        "postgres://me:hunter2@@nowhere.invalid/x",
        "postgres://me:x@hunter2@nowhere.invalid/x",
        "postgres://me:hunter2/x@nowhere.invalid/x",
        "postgres://me:1/hunter2@nowhere.invalid/x",
        "postgres://me:x/y?hunter2@nowhere.invalid/x", "postgres://me:hunter2",
        "cockroachdb://me@/none?host=/nowhere&password=hunter2"}) {
    const auto database =
        find_row(drivers(), "postgres")->open({.urls = {url}});
    ASSERT_FALSE(database) << url;
    const std::string text = to_string(database.error());
    EXPECT_EQ(text.find("hunter2"), std::string::npos) << text;
    EXPECT_FALSE(database.error().message.empty());
  }
}

TEST(PostgresAddress, SettingsOfOurOwnServersNeedOne) {
  for (const auto& [name, value] :
       {std::pair("standbys", "1"), std::pair("fsync", "on")}) {
    const auto database = find_row(drivers(), "postgres")
                              ->open({.urls = {"postgres:host=/nowhere"},
                                      .knobs = {{name, value}}});
    ASSERT_FALSE(database);
    EXPECT_EQ(database.error().message,
              std::string(name) + " can be set only with --start");
  }
}

}  // namespace
}  // namespace awdit
