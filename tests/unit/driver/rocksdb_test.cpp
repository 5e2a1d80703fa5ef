// RocksDB: what each of its levels allows and forbids, step by step.
#include <filesystem>
#include <fstream>

#include "base/temporary_directory.h"
#include "unit/driver/by_hand.h"

namespace awdit {
namespace {

class Rocksdb : public ByHand {
 protected:
  Rocksdb() : ByHand("rocksdb") {}
};

class RocksdbEveryKind
    : public Rocksdb,
      public testing::WithParamInterface<std::pair<const char*, Knobs>> {};

TEST_P(RocksdbEveryKind, Basics) {
  open(GetParam().first, GetParam().second);
  expect_basics();
}

TEST_P(RocksdbEveryKind, ManyAtOnce) {
  open(GetParam().first, GetParam().second);
  expect_counting(std::string_view(GetParam().first) != "plain-get");
}

const Knobs kOptimistic = {{"transactions", "optimistic"}};
const Knobs kPrepared = {{"write-policy", "prepared"}};

INSTANTIATE_TEST_SUITE_P(
    All, RocksdbEveryKind,
    testing::Values(std::pair{"snapshot", Knobs{}},
                    std::pair{"plain-get", Knobs{}},
                    std::pair{"get-for-update", Knobs{}},
                    std::pair{"snapshot", kOptimistic},
                    std::pair{"plain-get", kOptimistic},
                    std::pair{"get-for-update", kOptimistic},
                    std::pair{"snapshot", kPrepared},
                    std::pair{"get-for-update", kPrepared},
                    std::pair{"snapshot", Knobs{{"sync", "on"}}}));

class RocksdbBothKinds : public Rocksdb,
                         public testing::WithParamInterface<Knobs> {};
INSTANTIATE_TEST_SUITE_P(All, RocksdbBothKinds,
                         testing::Values(Knobs{}, kOptimistic, kPrepared));

TEST_P(RocksdbBothKinds, SnapshotReadsStayTheSame) {
  open("snapshot", GetParam());
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(true), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  write_alone(b, "x", 1);
  write_alone(b, "y", 2);
  EXPECT_EQ(read_id(a, "x"), 0U);
  EXPECT_EQ(read_id(a, "y"), 0U);
  EXPECT_ANSWER(a, commit(), Answer::done);
  EXPECT_EQ(committed_id(a, "y"), 2U);
}

TEST_P(RocksdbBothKinds, PlainReadsDoNot) {
  open("plain-get", GetParam());
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(true), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  write_alone(b, "x", 1);
  EXPECT_EQ(read_id(a, "x"), 1U);
  // But what is not committed is not there.
  EXPECT_ANSWER(b, begin(false), Answer::done);
  EXPECT_ANSWER(b, write("x", 2, ""), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 1U);
  EXPECT_ANSWER(b, rollback(), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::done);
}

// Both read what the other then overwrites.
TEST_P(RocksdbBothKinds, SnapshotAllowsWriteSkew) {
  open("snapshot", GetParam());
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(b, begin(false), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  EXPECT_EQ(read_id(b, "y"), 0U);
  EXPECT_ANSWER(a, write("y", 1, ""), Answer::done);
  EXPECT_ANSWER(b, write("x", 2, ""), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::done);
  EXPECT_ANSWER(b, commit(), Answer::done);
}

// The one that reads, lets another write, and then overwrites it.
TEST_P(RocksdbBothKinds, SnapshotForbidsLostUpdates) {
  open("snapshot", GetParam());
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  write_alone(b, "x", 1);
  const Answer written = a.write("x", 2, "");
  const Answer committed =
      written == Answer::done ? a.commit() : Answer::refused;
  EXPECT_EQ(committed, Answer::refused);
  EXPECT_EQ(a.trouble().code, "busy");
  EXPECT_ANSWER(a, rollback(), Answer::done);
  EXPECT_EQ(committed_id(a, "x"), 1U);
}

TEST_P(RocksdbBothKinds, PlainGetLosesUpdates) {
  open("plain-get", GetParam());
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  write_alone(b, "x", 1);
  EXPECT_ANSWER(a, write("x", 2, ""), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::done);
  EXPECT_EQ(committed_id(a, "x"), 2U);
}

// An append is never lost, though it is a read and a write.
TEST_P(RocksdbBothKinds, AppendsAreNotLost) {
  open("plain-get", GetParam());
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  EXPECT_ANSWER(b, begin(false), Answer::done);
  EXPECT_ANSWER(b, append("x", 1), Answer::done);
  EXPECT_ANSWER(b, commit(), Answer::done);
  EXPECT_ANSWER(a, append("x", 2), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::done);
  std::vector<WriteId> elements;
  EXPECT_ANSWER(a, begin(true), Answer::done);
  EXPECT_ANSWER(a, read_list("x", elements), Answer::done);
  EXPECT_EQ(elements, (std::vector<WriteId>{1, 2}));
  EXPECT_ANSWER(a, commit(), Answer::done);
}

TEST_F(Rocksdb, GetForUpdateForbidsWriteSkew) {
  open("get-for-update");
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(b, begin(false), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  EXPECT_EQ(read_id(b, "y"), 0U);
  EXPECT_ANSWER(a, write("y", 1, ""), Answer::refused);
  EXPECT_EQ(a.trouble().code, "timed-out");
  EXPECT_ANSWER(a, rollback(), Answer::done);
  EXPECT_ANSWER(b, write("x", 2, ""), Answer::done);
  EXPECT_ANSWER(b, commit(), Answer::done);
}

TEST_F(Rocksdb, OptimisticGetForUpdateForbidsWriteSkew) {
  open("get-for-update", kOptimistic);
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(b, begin(false), Answer::done);
  EXPECT_EQ(read_id(a, "x"), 0U);
  EXPECT_EQ(read_id(b, "y"), 0U);
  EXPECT_ANSWER(a, write("y", 1, ""), Answer::done);
  EXPECT_ANSWER(b, write("x", 2, ""), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::done);
  EXPECT_ANSWER(b, commit(), Answer::refused);
  EXPECT_EQ(b.trouble().code, "busy");
  EXPECT_ANSWER(b, rollback(), Answer::done);
  EXPECT_EQ(committed_id(b, "x"), 0U);
}

TEST_F(Rocksdb, TwoWritersWaitForEachOther) {
  open("snapshot");
  Connection& a = connect();
  Connection& b = connect();
  EXPECT_ANSWER(a, begin(false), Answer::done);
  EXPECT_ANSWER(b, begin(false), Answer::done);
  EXPECT_ANSWER(a, write("x", 1, ""), Answer::done);
  EXPECT_ANSWER(b, write("x", 2, ""), Answer::refused);
  EXPECT_EQ(b.trouble().code, "timed-out");
  EXPECT_ANSWER(b, rollback(), Answer::done);
  EXPECT_ANSWER(a, commit(), Answer::done);
}

// -- directories --------------------------------------------------------------

TEST_F(Rocksdb, KeepsANamedDirectory) {
  const auto place = TemporaryDirectory::make();
  ASSERT_TRUE(place);
  const std::string url = "rocksdb:" + place->file("new/one");
  {
    auto opened = driver_->open(options_of(*driver_, url, "snapshot"));
    ASSERT_TRUE(opened) << to_string(opened.error());
    database_ = std::move(*opened);
    reset();
    write_alone(connect(), "x", 77);
    sessions_.clear();
    database_.reset();
  }
  auto again = driver_->open(options_of(*driver_, url, "snapshot"));
  ASSERT_TRUE(again) << to_string(again.error());
  database_ = std::move(*again);
  EXPECT_EQ(committed_id(connect(), "x"), 77U);
  sessions_.clear();
  reset();
  EXPECT_EQ(committed_id(connect(), "x"), 0U);
}

TEST_F(Rocksdb, TouchesNoForeignDirectory) {
  const auto place = TemporaryDirectory::make();
  ASSERT_TRUE(place);
  std::ofstream(place->file("thesis.txt")) << "years of work";
  const auto opened = driver_->open(
      options_of(*driver_, "rocksdb:" + place->path(), "snapshot"));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().where, place->path());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(place->path()),
                          std::filesystem::directory_iterator()),
            1);
}

TEST_F(Rocksdb, ATemporaryDirectoryGoesWithIt) {
  const auto place = TemporaryDirectory::make();
  ASSERT_TRUE(place);
  const char* before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  setenv("TMPDIR", place->path().c_str(), 1);
  open("snapshot");
  EXPECT_FALSE(std::filesystem::is_empty(place->path()));
  database_.reset();
  EXPECT_TRUE(std::filesystem::is_empty(place->path()));
  // Also if it cannot be opened.
  const auto refused = driver_->open(
      options_of(*driver_, "rocksdb", "snapshot",
                 {{"write-policy", "committed"}, {"unordered-write", "on"}}));
  EXPECT_FALSE(refused);
  EXPECT_TRUE(std::filesystem::is_empty(place->path()));
  if (before == nullptr) {
    unsetenv("TMPDIR");
  } else {
    setenv("TMPDIR", old.c_str(), 1);
  }
}

TEST_F(Rocksdb, RefusesKnobsItDoesNotHave) {
  const auto unknown = driver_->open(
      options_of(*driver_, "rocksdb", "snapshot", {{"colour", "red"}}));
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("colour"), std::string::npos);
  const auto odd = driver_->open(
      options_of(*driver_, "rocksdb", "snapshot", {{"sync", "maybe"}}));
  ASSERT_FALSE(odd);
  EXPECT_NE(odd.error().message.find("off|on"), std::string::npos);
}

}  // namespace
}  // namespace awdit
