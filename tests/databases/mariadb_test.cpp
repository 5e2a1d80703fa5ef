// MariaDB: what each of its levels allows and forbids, step by step; and a
// server of our own that suffers.
#include <filesystem>

#include "driver/mariadb_link.h"
#include "server/server.h"
#include "unit/driver/by_hand.h"

namespace awdit {
namespace {

// One server for all that do no harm to it; the first who needs it starts it.
class Mariadb : public ByHand {
 protected:
  Mariadb() : ByHand("mariadb") {}

  void SetUp() override {
    ByHand::SetUp();
    if (IsSkipped()) return;
    if (!find_program("mariadbd", {"/usr/sbin", "/usr/libexec"})) {
      GTEST_SKIP() << "there is no MariaDB server on this machine";
    }
  }

  static std::unique_ptr<MariadbServers>& server() {
    static std::unique_ptr<MariadbServers> one;
    return one;
  }

  void open_shared(std::string_view level, Knobs knobs = {}) {
    if (server() == nullptr) {
      auto started = MariadbServers::start({}, mariadb_ready);
      ASSERT_TRUE(started) << to_string(started.error());
      server() = std::move(*started);
    }
    url_ = "mariadb://root@/awdit?socket=" + server()->socket(0);
    open(level, std::move(knobs));
  }
};

class MariadbEveryLevel : public Mariadb,
                          public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, MariadbEveryLevel,
                         testing::Values("repeatable-read", "serializable",
                                         "read-committed", "read-uncommitted"));

TEST_P(MariadbEveryLevel, Basics) {
  open_shared(GetParam());
  std::string reported(GetParam());
  for (char& c : reported) c = static_cast<char>(std::toupper(c));
  EXPECT_EQ(database_->reported_level(), reported);
  EXPECT_NE(database_->describe().find("MariaDB"), std::string::npos);
  expect_basics();
}

TEST_P(MariadbEveryLevel, ManyAtOnce) {
  open_shared(GetParam());
  expect_counting(std::string_view(GetParam()) == "serializable");
}

TEST_F(Mariadb, CommittedIsNotRepeatable) {
  open_shared("read-committed");
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(true), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  write_alone(b, "x", 1);
  EXPECT_EQ(read_id(a, "x"), 1U);
  EXPECT_ANSWER(b, begin(false), Answer::done);
  EXPECT_ANSWER(b, write("x", 2, ""), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 1U);
  EXPECT_ANSWER(b, rollback(), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::done);
}

TEST_F(Mariadb, UncommittedReadsWhatIsTakenBack) {
  open_shared("read-uncommitted");
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(a, write("x", 1, ""), Answer::done);
  EXPECT_ANSWER(b, begin(true), Answer::done);
  EXPECT_EQ(read_id(b, "x"), 1U);
  EXPECT_ANSWER(a, rollback(), Answer::done);
  EXPECT_EQ(read_id(b, "x"), 0U);
  EXPECT_ANSWER(b, commit(), Answer::done);
}

TEST_F(Mariadb, RepeatableReadsStayTheSame) {
  open_shared("repeatable-read");
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(true), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  write_alone(b, "x", 1);
  write_alone(b, "y", 2);
  EXPECT_EQ(read_id(a, "x"), 0U);
  EXPECT_EQ(read_id(a, "y"), 0U);
  EXPECT_ANSWER(a, commit(), Answer::done);
}

// What InnoDB is known for: a write sees what the snapshot does not, and then
// the snapshot does.
TEST_F(Mariadb, RepeatableReadLosesUpdates) {
  open_shared("repeatable-read");
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  write_alone(b, "x", 1);
  EXPECT_EQ(read_id(a, "x"), 0U);
  EXPECT_ANSWER(a, write("x", 2, ""), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::done);
  EXPECT_EQ(committed_id(b, "x"), 2U);
}

TEST_F(Mariadb, AnAppendBringsInWhatTheSnapshotHides) {
  open_shared("repeatable-read");
  Connection& a = connect();
  Connection& b = connect();
  std::vector<WriteId> elements;
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(a, read_list("x", elements), Answer::absent);
  EXPECT_ANSWER(b, begin(false), Answer::done);
  EXPECT_ANSWER(b, append("x", 1), Answer::done);
  EXPECT_ANSWER(b, commit(), Answer::done);
  EXPECT_ANSWER(a, read_list("x", elements), Answer::absent);
  EXPECT_ANSWER(a, append("x", 2), Answer::done);
  EXPECT_ANSWER(a, read_list("x", elements), Answer::done);
  EXPECT_EQ(elements, (std::vector<WriteId>{1, 2}));
  EXPECT_ANSWER(a, commit(), Answer::done);
}

TEST_F(Mariadb, SnapshotIsolationForbidsLostUpdates) {
  open_shared("repeatable-read", {{"snapshot-isolation", "on"}});
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  write_alone(b, "x", 1);
  EXPECT_ANSWER(a, write("x", 2, ""), Answer::refused);
  EXPECT_EQ(a.trouble().code, "1020");
  EXPECT_ANSWER(a, rollback(), Answer::done);
  EXPECT_EQ(committed_id(b, "x"), 1U);
}

TEST_F(Mariadb, ASnapshotMayBeginWithTheTransaction) {
  for (const char* begin : {"plain", "snapshot"}) {
    open_shared("repeatable-read", {{"begin", begin}});
    Connection& a = connect();
    Connection& b = connect();
    EXPECT_ANSWER(a, begin(true), Answer::done);
    write_alone(b, "x", 1);
    EXPECT_EQ(read_id(a, "x"), std::string_view(begin) == "plain" ? 1U : 0U);
    EXPECT_ANSWER(a, commit(), Answer::done);
  }
}

// Both read, so neither can write: the one waits in vain, or for the other.
TEST_F(Mariadb, SerializableForbidsWriteSkew) {
  open_shared("serializable");
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(b, begin(false), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  EXPECT_EQ(read_id(b, "y"), 0U);
  EXPECT_ANSWER(a, write("y", 1, ""), Answer::refused);
  EXPECT_EQ(a.trouble().code, "1205");
  EXPECT_ANSWER(a, rollback(), Answer::done);
  EXPECT_ANSWER(b, write("x", 2, ""), Answer::done);
  EXPECT_ANSWER(b, commit(), Answer::done);
}

// -- connections --------------------------------------------------------------

TEST_F(Mariadb, LongPayloadsAndEmptyOnes) {
  open_shared("repeatable-read");
  Connection& a = connect();
  Content content;
  for (const std::size_t size : {0U, 1U, 100'000U, 3U, 70'000U}) {
    const std::string payload(size, 'p');
    EXPECT_ANSWER(a, begin(false), Answer::done);
    EXPECT_ANSWER(a, write("x", size + 1, payload), Answer::done);
    EXPECT_ANSWER(a, read("x", content), Answer::done);
    EXPECT_EQ(content.id, size + 1);
    EXPECT_EQ(content.payload, payload);
    EXPECT_ANSWER(a, commit(), Answer::done);
  }
}

TEST_F(Mariadb, AWrongPasswordIsNotQuoted) {
  open_shared("repeatable-read");
  const auto opened = driver_->open(options_of(
      *driver_, "mariadb://root:secret@/awdit?socket=" + server()->socket(0),
      "repeatable-read"));
  ASSERT_FALSE(opened);
  const std::string text = to_string(opened.error());
  EXPECT_NE(text.find("denied"), std::string::npos) << text;
  EXPECT_EQ(text.find("secret"), std::string::npos) << text;
}

TEST_F(Mariadb, TerminateEndsConnections) {
  open_shared("repeatable-read");
  ASSERT_TRUE(database_->can(Fault::terminate));
  EXPECT_FALSE(database_->can(Fault::kill));
  Connection& a = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(a, write("x", 1, ""), Answer::done);
  Random random(1);
  EXPECT_FALSE(database_->begin_fault(Fault::terminate, random));
  EXPECT_FALSE(database_->end_fault(Fault::terminate));
  EXPECT_ANSWER(a, commit(), Answer::lost);
  EXPECT_EQ(committed_id(connect(), "x"), 0U);
}

// -- tables of others, and other runs -----------------------------------------

TEST_F(Mariadb, TablesOfOthersStay) {
  open_shared("repeatable-read");
  database_.reset();
  auto stranger = MariadbLink::open(own_mariadb(server()->socket(0)), 10);
  ASSERT_TRUE(stranger) << to_string(stranger.error());
  const auto nothing = [](const PutRow&) {};
  for (const std::string name : {"awdit_kv", "awdit_lists", "awdit_loaded"}) {
    SCOPED_TRACE(name);
    ASSERT_EQ(stranger->query("DROP TABLE " + name), 0U);
    ASSERT_EQ(stranger->query("CREATE TABLE " + name + " AS SELECT 7 AS wid"),
              0U);
    auto opened = driver_->open(options_of(*driver_, url_, "repeatable-read"));
    ASSERT_TRUE(opened) << to_string(opened.error());
    for (const Outcome& refused :
         {(*opened)->reset(nothing), (*opened)->drop()}) {
      ASSERT_TRUE(refused);
      EXPECT_EQ(refused->message, "there is a table " + name +
                                      " that awdit did not make; it stays as "
                                      "it is");
      EXPECT_NE(refused->hint.find("DROP TABLE " + name), std::string::npos);
    }
    std::string found;
    EXPECT_EQ(stranger->ask("SELECT wid FROM " + name, found), 0U);
    EXPECT_EQ(found, "7");
    ASSERT_EQ(stranger->query("DROP TABLE " + name), 0U);
    const Outcome failed = (*opened)->reset(nothing);
    EXPECT_FALSE(failed) << to_string(*failed);
  }
}

TEST_F(Mariadb, DropsWhatIsOurs) {
  open_shared("repeatable-read");
  const Outcome failed = database_->drop();
  EXPECT_FALSE(failed) << to_string(*failed);
  auto stranger = MariadbLink::open(own_mariadb(server()->socket(0)), 10);
  ASSERT_TRUE(stranger);
  std::string found;
  EXPECT_EQ(stranger->ask("SHOW TABLES LIKE 'awdit%'", found), 0U);
  EXPECT_EQ(found, "");
  EXPECT_FALSE(database_->drop()) << "twice does no harm";
}

TEST_F(Mariadb, OneRunAtATime) {
  open_shared("repeatable-read");
  write_alone(connect(), "x", 5);
  auto second = driver_->open(options_of(*driver_, url_, "repeatable-read"));
  ASSERT_TRUE(second);
  const auto nothing = [](const PutRow&) {};
  for (const Outcome& refused :
       {(*second)->reset(nothing), (*second)->drop()}) {
    ASSERT_TRUE(refused);
    EXPECT_NE(refused->message.find(
                  "another run of awdit uses the tables awdit_* of this "
                  "database: connection "),
              std::string::npos)
        << refused->message;
    EXPECT_NE(refused->message.find(", user root at localhost, for "),
              std::string::npos)
        << refused->message;
  }
  EXPECT_EQ(committed_id(connect(), "x"), 5U);
  sessions_.clear();
  database_.reset();
  const Outcome failed = (*second)->reset(nothing);
  EXPECT_FALSE(failed) << to_string(*failed);
}

// Two names of one server: the second has what the first loaded.
TEST_F(Mariadb, SeveralNodes) {
  open_shared("repeatable-read");
  database_.reset();
  DatabaseOptions options = options_of(*driver_, url_, "repeatable-read");
  options.urls.push_back(url_);
  auto opened = driver_->open(options);
  ASSERT_TRUE(opened) << to_string(opened.error());
  EXPECT_EQ((*opened)->nodes().size(), 2U);
  EXPECT_FALSE((*opened)->reset([](const PutRow& put) { put("z", ""); }));
  auto session = (*opened)->connect(1, 1);
  ASSERT_TRUE(session);
  EXPECT_EQ(committed_id(**session, "z"), 0U);
}

// -- a server of our own ------------------------------------------------------

TEST_F(Mariadb, StartsSuffersAndGoes) {
  const auto before = std::filesystem::temp_directory_path();
  const auto place = TemporaryDirectory::make();
  ASSERT_TRUE(place);
  // Where its directory can be seen to come and go; open to its account.
  std::filesystem::permissions(place->path(), std::filesystem::perms{0777});
  setenv("TMPDIR", place->path().c_str(), 1);
  start("repeatable-read");
  setenv("TMPDIR", before.c_str(), 1);
  EXPECT_FALSE(std::filesystem::is_empty(place->path()));
  EXPECT_NE(database_->describe().find("of our own"), std::string::npos);
  Connection& a = connect();
  write_alone(a, "x", 1);

  // Killed: what was committed stays, what was not goes.
  Random random(1);
  ASSERT_TRUE(database_->can(Fault::kill));
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(a, write("y", 2, ""), Answer::done);
  EXPECT_FALSE(database_->begin_fault(Fault::kill, random));
  EXPECT_ANSWER(a, commit(), Answer::lost);
  EXPECT_FALSE(database_->connect(9, 0));
  const Outcome restarted = database_->end_fault(Fault::kill);
  ASSERT_FALSE(restarted) << to_string(*restarted);
  Connection& b = connect();
  EXPECT_EQ(committed_id(b, "x"), 1U);
  EXPECT_EQ(committed_id(b, "y"), 0U);

  // Paused: no answer in time, and then answers again.
  ASSERT_TRUE(database_->can(Fault::pause));
  EXPECT_FALSE(database_->begin_fault(Fault::pause, random));
  EXPECT_ANSWER(b, begin(true), Answer::lost);
  EXPECT_FALSE(database_->end_fault(Fault::pause));
  EXPECT_EQ(committed_id(connect(), "x"), 1U);

  sessions_.clear();
  database_.reset();
  EXPECT_TRUE(std::filesystem::is_empty(place->path()));
}

// Half of the lost COMMITs took effect; nobody is told which.
TEST_F(Mariadb, LosesCommits) {
  start("repeatable-read", {}, {Fault::drop_commit});
  ASSERT_TRUE(database_->can(Fault::drop_commit));
  write_alone(connect(), "x", 1);
  Random random(1);
  EXPECT_FALSE(database_->begin_fault(Fault::drop_commit, random));
  for (WriteId id = 2; id < 12; ++id) {
    Connection& a = connect();
    EXPECT_ANSWER(a, begin(false), Answer::done);
    EXPECT_ANSWER(a, write(std::to_string(id), id, ""), Answer::done);
    EXPECT_ANSWER(a, commit(), Answer::lost);
  }
  EXPECT_FALSE(database_->end_fault(Fault::drop_commit));
  Connection& b = connect();
  int took_effect = 0;
  for (WriteId id = 2; id < 12; ++id) {
    took_effect += committed_id(b, std::to_string(id)) == id;
  }
  EXPECT_GT(took_effect, 0);
  EXPECT_LT(took_effect, 10);
}

TEST_F(Mariadb, FlushLogIsForServersOfOurOwn) {
  open_shared("repeatable-read");
  const auto opened = driver_->open(
      options_of(*driver_, url_, "repeatable-read", {{"flush-log", "0"}}));
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("--start"), std::string::npos);
}

}  // namespace
}  // namespace awdit
