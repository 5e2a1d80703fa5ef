// What a driver of the user's may answer, and what each answer means. The
// drivers here are a line of shell: they read a request and print what is next.
#include <gtest/gtest.h>

#include <chrono>

#include "base/table.h"
#include "driver/driver.h"
#include "driver/exec_reply.h"
#include "driver/exec_value.h"

namespace awdit {
namespace {

constexpr WriteId kId = std::uint64_t{777} << 47 | std::uint64_t{3} << 31 | 12;

// -- values -------------------------------------------------------------------

TEST(ExecIds, ComeBackFromNumbersThatEveryLanguageKeeps) {
  ExecIds ids;
  for (const WriteId id :
       {WriteId{0}, kId, std::uint64_t{777} << 47 | std::uint64_t{0xFFFF} << 31,
        std::uint64_t{777} << 47 | 0x7FF'FFFF}) {
    const std::int64_t number = ids.number_of(id);
    EXPECT_GE(number, 0);
    EXPECT_LE(number, kLargestInteger);
    EXPECT_EQ(ids.id_of(number), id);
  }
  EXPECT_EQ(ids.number_of(std::uint64_t{777} << 47 | 0x7FFF'FFFF), -1);
}

TEST(ExecIds, OfOtherRunsAreNotOurs) {
  ExecIds theirs;
  const std::int64_t number = theirs.number_of(kId);
  ExecIds ours;
  EXPECT_NE(ours.id_of(number), 0U);  // nobody has written yet
  ours.number_of(std::uint64_t{778} << 47 | 1);
  EXPECT_NE(ours.id_of(number) >> 47, 778U);
}

TEST(ExecValues, HoldAPayloadBehindTheNumber) {
  EXPECT_EQ(value_text(17, ""), "17");
  EXPECT_EQ(value_text(17, "a \"b\""), "\"17 a \\\"b\\\"\"");
  std::int64_t number = -1;
  std::string payload;
  EXPECT_TRUE(content_of({.kind = ExecValue::Kind::text, .text = "17 a  b"},
                         number, payload));
  EXPECT_EQ(number, 17);
  EXPECT_EQ(payload, "a  b");
  for (const char* other : {"", "17", "17 ", "x 17", "-3 x",
                            "99999999999999999 x", "9007199254740992 x"}) {
    EXPECT_FALSE(content_of({.kind = ExecValue::Kind::text, .text = other},
                            number, payload))
        << other;
  }
}

// -- replies ------------------------------------------------------------------

TEST(ExecReplies, AreTakenApart) {
  ExecReader reader;
  auto reply = reader.read(
      R"({"id":5,"ok":true,"ops":[["r","x",17],["w","y",3],["r","l",[1,2]]]})");
  ASSERT_TRUE(reply) << reader.mistake();
  EXPECT_EQ(reply->id, 5U);
  ASSERT_EQ(reply->ops->size(), 3U);
  EXPECT_EQ((*reply->ops)[2].value.list, (std::vector<std::int64_t>{1, 2}));
  reply = reader.read(
      R"({"session":3,"id":4,"ok":false,"outcome":"unknown","retry":false,"why":"40001"})");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->outcome, "unknown");
  EXPECT_FALSE(reply->retry);
  reply = reader.read(
      R"({"hello":1,"name":"x","levels":["a"],"can":["batch","who knows"],"claims":null})");
  ASSERT_TRUE(reply);
  EXPECT_TRUE(reply->hello->batch);
  EXPECT_FALSE(reply->hello->interactive);
  EXPECT_FALSE(reply->hello->claims);
}

TEST(ExecReplies, ThatAreNoneAreNotGuessed) {
  ExecReader reader;
  for (const char* line :
       {"",
        "ok",
        "[]",
        "17",
        "{\"id\":1}",
        "{\"ok\":true}",
        "{\"id\":\"1\",\"ok\":true}",
        "{\"id\":-1,\"ok\":true}",
        "{\"id\":1,\"ok\":1}",
        "{\"id\":1,\"ok\":true,\"value\":17.0}",
        "{\"id\":1,\"ok\":true,\"value\":1e3}",
        "{\"id\":1,\"ok\":true,\"value\":9007199254740993}",
        "{\"id\":1,\"ok\":true,\"value\":18446744073709551615}",
        "{\"id\":1,\"ok\":true,\"value\":{}}",
        "{\"id\":1,\"ok\":true,\"value\":[\"1\"]}",
        "{\"id\":1,\"ok\":true,\"ops\":[[\"r\"]]}",
        "{\"hello\":2}",
        "{\"hello\":1,\"can\":\"batch\"}",
        "{\"id\":1,\"ok\":true} x",
        "\xff\xfe"}) {
    EXPECT_FALSE(reader.read(line)) << line;
    EXPECT_NE(reader.mistake(), "") << line;
  }
}

// -- answers ------------------------------------------------------------------

class Exec : public testing::Test {
 protected:
  // Answers to hello and then with each of `replies` to a request; then it does
  // `last`.
  void open(const std::vector<std::string>& replies, const std::string& last) {
    std::string script =
        "read l; echo '{\"hello\":1,\"name\":\"sh\",\"can\":[\"interactive\","
        "\"batch\",\"lists\"]}'";
    for (const std::string& reply : replies) {
      script += "; read l || exit; echo '" + reply + "'";
    }
    script += "; read l || exit; " + last;
    const Driver* const driver = find_row(drivers(), std::string_view("exec"));
    ASSERT_NE(driver, nullptr);
    auto opened =
        driver->open({.urls = {"exec:" + script}, .timeout_seconds = 1});
    ASSERT_TRUE(opened) << to_string(opened.error());
    session_.reset();  // before its database
    database_ = std::move(*opened);
    auto connected = database_->connect(1, 0);
    ASSERT_TRUE(connected) << to_string(connected.error());
    session_ = std::move(*connected);
  }
  // Begins and writes; then the driver does `last`.
  void write_then(const std::string& last) {
    open({kOk(1), kOk(2)}, last);
    ASSERT_EQ(session_->begin(false), Answer::done);
    ASSERT_EQ(session_->write("x", kId, ""), Answer::done);
  }
  static std::string kOk(int id) {
    return "{\"id\":" + std::to_string(id) + ",\"ok\":true}";
  }
  std::string why() const { return session_->trouble().text; }

  std::unique_ptr<Database> database_;
  std::unique_ptr<Connection> session_;
};

TEST_F(Exec, AReplyThatDoesNotComeIsLost) {
  for (const char* last : {"exit 3", "exec 1>&-; sleep 100", "sleep 100",
                           "printf '{\"id\":3,\"ok\":tr'; exit 0"}) {
    write_then(last);
    EXPECT_EQ(session_->commit(), Answer::lost) << last;
  }
  for (const char* last : {"exit 3", "sleep 100"}) {
    write_then(last);
    Content content;
    EXPECT_EQ(session_->read("x", content), Answer::lost) << last;
    EXPECT_NE(why(), "");
  }
  write_then("exit 3");
  session_->commit();
  EXPECT_NE(why().find("exit code 3"), std::string::npos) << why();
}

TEST_F(Exec, ACommitMayBeRefusedOrUncertain) {
  write_then(
      "echo "
      "'{\"id\":3,\"ok\":false,\"outcome\":\"aborted\",\"why\":\"40001\"}'");
  EXPECT_EQ(session_->commit(), Answer::refused);
  EXPECT_EQ(session_->trouble().code, "40001");
  EXPECT_FALSE(session_->trouble().lasts);
  EXPECT_EQ(session_->rollback(), Answer::done);  // it is over already
  write_then(
      "echo '{\"id\":3,\"ok\":false,\"outcome\":\"unknown\",\"retry\":false}'");
  EXPECT_EQ(session_->commit(), Answer::ambiguous);
  EXPECT_TRUE(session_->trouble().lasts);
}

TEST_F(Exec, BeforeTheCommitANoIsANo) {
  for (const char* rest : {"", ",\"outcome\":\"aborted\""}) {
    write_then("echo '{\"id\":3,\"ok\":false" + std::string(rest) + "}'");
    Content content;
    EXPECT_EQ(session_->read("x", content), Answer::refused);
  }
}

TEST_F(Exec, WhatBreaksTheProtocolIsFatalAndQuoted) {
  const std::pair<const char*, const char*> kCases[] = {
      {"echo rubbish", "'rubbish'"},
      {"echo '{\"id\":4,\"ok\":true}'", "request 4 when 3"},
      {"echo '{\"id\":3,\"ok\":false,\"outcome\":\"maybe\"}'", "'maybe'"},
      {"echo '{\"id\":3,\"ok\":false}'", "without an \"outcome\""},
  };
  for (const auto& [last, words] : kCases) {
    write_then(last);
    EXPECT_EQ(session_->commit(), Answer::fatal) << last;
    EXPECT_NE(why().find(words), std::string::npos) << why();
  }
  open({kOk(1)}, "echo '{\"id\":2,\"ok\":true,\"value\":\"17\"}'");
  Content content;
  ASSERT_EQ(session_->begin(true), Answer::done);
  EXPECT_EQ(session_->read("x", content), Answer::fatal);
  EXPECT_NE(why().find("\"17\""), std::string::npos) << why();
}

TEST_F(Exec, AnEndlessLineTakesLittleMemory) {
  write_then("while :; do printf '%1000s' x; done");
  EXPECT_EQ(session_->commit(), Answer::fatal);
  EXPECT_NE(why().find("longer than 8 MiB"), std::string::npos) << why();
}

TEST_F(Exec, WholeTransactionsComeBackAsTheyWere) {
  open({"{\"id\":1,\"ok\":true,\"ops\":[[\"r\",\"x\",0],[\"r\",\"y\",null],"
        "[\"w\",\"x\",5]]}"},
       "echo '{\"id\":2,\"ok\":true,\"ops\":[[\"r\",\"other\",0]]}'");
  using enum WholeStep::Kind;
  std::vector<WholeStep> steps = {{.kind = read, .key = "x"},
                                  {.kind = read, .key = "y"},
                                  {.kind = write, .key = "x", .id = kId}};
  EXPECT_EQ(session_->transact(steps, false), Answer::done) << why();
  EXPECT_TRUE(steps[0].exists);
  EXPECT_EQ(steps[0].id, 0U);
  EXPECT_FALSE(steps[1].exists);
  steps.resize(1);
  EXPECT_EQ(session_->transact(steps, true), Answer::fatal);
}

TEST_F(Exec, StandardErrorGoesToALogThatTheMessageNames) {
  write_then("echo the disk is wet >&2; echo rubbish");
  EXPECT_EQ(session_->commit(), Answer::fatal);
  EXPECT_NE(why().find("the disk is wet"), std::string::npos) << why();
  EXPECT_NE(why().find("awdit-driver-"), std::string::npos) << why();
  // It stays; not here.
  const std::size_t from = why().find(" is in ") + 7;
  const std::string path = why().substr(from, why().find(',', from) - from);
  EXPECT_EQ(::remove(path.c_str()), 0) << path;
}

TEST(ExecDriver, WhatCannotBeStartedIsNamed) {
  const Driver* const driver = find_row(drivers(), std::string_view("exec"));
  ASSERT_NE(driver, nullptr);
  for (const char* command :
       {"exec:", "exec:/nonexistent/driver 2>/dev/null",
        "exec:echo '{\"hello\":1,\"ok\":false,\"why\":\"no server\"}'",
        "exec:echo '{\"hello\":1,\"can\":[]}'", "exec:cat"}) {
    const auto opened = driver->open({.urls = {command}, .timeout_seconds = 1});
    ASSERT_FALSE(opened) << command;
    EXPECT_NE(opened.error().message, "") << command;
  }
}

}  // namespace
}  // namespace awdit
