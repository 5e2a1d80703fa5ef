// SQLite: what each of its levels allows and forbids, step by step.
#include <fstream>

#include "base/temporary_directory.h"
#include "unit/driver/by_hand.h"

namespace awdit {
namespace {

class Sqlite : public ByHand {
 protected:
  Sqlite() : ByHand("sqlite") {}
};

const Knobs kRollback = {{"journal", "rollback"}};

class SqliteEveryKind
    : public Sqlite,
      public testing::WithParamInterface<std::pair<const char*, Knobs>> {};
TEST_P(SqliteEveryKind, Basics) {
  open(GetParam().first, GetParam().second);
  expect_basics();
}
TEST_P(SqliteEveryKind, ManyAtOnce) {
  open(GetParam().first, GetParam().second);
  expect_counting(std::string_view(GetParam().first) == "serializable");
}
INSTANTIATE_TEST_SUITE_P(
    All, SqliteEveryKind,
    testing::Values(std::pair{"serializable", Knobs{}},
                    std::pair{"serializable", kRollback},
                    std::pair{"serializable", Knobs{{"begin", "immediate"}}},
                    std::pair{"read-uncommitted", Knobs{}},
                    std::pair{"read-uncommitted", kRollback}));

// -- serializable, write-ahead log --------------------------------------------

TEST_F(Sqlite, ReadersKeepTheirSnapshot) {
  open("serializable");
  EXPECT_EQ(database_->reported_level(), "read_uncommitted=0");
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(true), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  write_alone(b, "x", 1);
  write_alone(b, "y", 2);
  EXPECT_EQ(read_id(a, "x"), 0U);
  EXPECT_EQ(read_id(a, "y"), 0U);
  EXPECT_ANSWER(a, commit(), Answer::done);
  EXPECT_EQ(committed_id(a, "x"), 1U);
}

TEST_F(Sqlite, WhatIsNotCommittedIsNotThere) {
  open("serializable");
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(a, write("x", 1, ""), Answer::done);
  EXPECT_EQ(committed_id(b, "x"), 0U);
  EXPECT_ANSWER(a, commit(), Answer::done);
  EXPECT_EQ(committed_id(b, "x"), 1U);
}

// Nobody may write what rests on an old snapshot: no lost update, no skew.
TEST_F(Sqlite, AStaleReaderCannotWrite) {
  open("serializable");
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  write_alone(b, "y", 1);
  EXPECT_ANSWER(a, write("x", 2, ""), Answer::refused);
  EXPECT_EQ(a.trouble().code, "busy-snapshot");
  EXPECT_ANSWER(a, rollback(), Answer::done);
  EXPECT_EQ(committed_id(a, "x"), 0U);
}

TEST_F(Sqlite, OneWriterAtATime) {
  open("serializable", {{"begin", "immediate"}});
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(b, begin(false), Answer::refused);
  EXPECT_EQ(b.trouble().code, "busy");
  EXPECT_ANSWER(b, rollback(), Answer::done);
  EXPECT_EQ(committed_id(b, "x"), 0U);
  EXPECT_ANSWER(a, commit(), Answer::done);
}

// -- serializable, rollback journal -------------------------------------------

// A commit that has to wait for a reader gives up; it did not happen.
TEST_F(Sqlite, AReaderHoldsUpACommit) {
  open("serializable", kRollback);
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(true), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  EXPECT_ANSWER(b, begin(false), Answer::done);
  EXPECT_ANSWER(b, write("x", 1, ""), Answer::done);
  EXPECT_ANSWER(b, commit(), Answer::refused);
  EXPECT_EQ(b.trouble().code, "busy");
  EXPECT_ANSWER(b, rollback(), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  EXPECT_ANSWER(a, commit(), Answer::done);
  EXPECT_EQ(committed_id(b, "x"), 0U);
  write_alone(b, "x", 2);
  EXPECT_EQ(committed_id(a, "x"), 2U);
}

// -- read-uncommitted ---------------------------------------------------------

class SqliteDirty : public Sqlite, public testing::WithParamInterface<Knobs> {};
INSTANTIATE_TEST_SUITE_P(All, SqliteDirty, testing::Values(Knobs{}, kRollback));

// An aborted read, and an intermediate one.
TEST_P(SqliteDirty, ReadsWhatIsTakenBack) {
  open("read-uncommitted", GetParam());
  EXPECT_EQ(database_->reported_level(), "read_uncommitted=1");
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(a, write("x", 1, ""), Answer::done);
  EXPECT_ANSWER(b, begin(true), Answer::done);
  EXPECT_EQ(read_id(b, "x"), 1U);
  EXPECT_ANSWER(a, write("x", 2, ""), Answer::done);
  EXPECT_EQ(read_id(b, "x"), 2U);
  EXPECT_ANSWER(a, rollback(), Answer::done);
  EXPECT_EQ(read_id(b, "x"), 0U);
  EXPECT_ANSWER(b, commit(), Answer::done);
}

TEST_P(SqliteDirty, LosesUpdates) {
  open("read-uncommitted", GetParam());
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  write_alone(b, "x", 1);
  EXPECT_ANSWER(a, write("x", 2, ""), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::done);
  EXPECT_EQ(committed_id(b, "x"), 2U);
}

TEST_P(SqliteDirty, StillHasOneWriterAtATime) {
  open("read-uncommitted", GetParam());
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(a, write("x", 1, ""), Answer::done);
  EXPECT_ANSWER(b, begin(false), Answer::done);
  EXPECT_ANSWER(b, write("y", 2, ""), Answer::refused);
  EXPECT_EQ(b.trouble().code, "locked");
  EXPECT_ANSWER(b, rollback(), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::done);
  write_alone(b, "y", 3);
}

// -- files --------------------------------------------------------------------

TEST_F(Sqlite, KeepsANamedFile) {
  const auto place = TemporaryDirectory::make();
  ASSERT_TRUE(place);
  const std::string url = "sqlite:" + place->file("kept.db");
  for (const WriteId expected : {0U, 41U}) {
    auto opened = driver_->open(options_of(*driver_, url, "serializable"));
    ASSERT_TRUE(opened) << to_string(opened.error());
    database_ = std::move(*opened);
    if (expected == 0) reset();
    EXPECT_EQ(committed_id(connect(), "x"), expected);
    write_alone(connect(), "x", 41);
    sessions_.clear();
    database_.reset();
  }
}

TEST_F(Sqlite, RefusesWhatIsNoDatabase) {
  const auto place = TemporaryDirectory::make();
  ASSERT_TRUE(place);
  const std::string path = place->file("thesis.txt");
  std::ofstream(path) << std::string(5000, 'x');
  const auto opened =
      driver_->open(options_of(*driver_, "sqlite:" + path, "serializable"));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().where, path);
  std::ifstream file(path);
  std::string content;
  std::getline(file, content);
  EXPECT_EQ(content, std::string(5000, 'x'));
}

TEST_F(Sqlite, ASessionWithoutTablesIsAnError) {
  const auto opened =
      driver_->open(options_of(*driver_, "sqlite", "serializable"));
  ASSERT_TRUE(opened);
  const auto connected = (*opened)->connect(0, 0);
  ASSERT_FALSE(connected);
  EXPECT_NE(connected.error().message.find("awdit_"), std::string::npos);
}

}  // namespace
}  // namespace awdit
