// Interleaving transactions by hand: sessions of one database, driven step by
// step by one thread. A test says what each answer must be.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/table.h"
#include "driver/driver.h"

namespace awdit {

inline std::ostream& operator<<(std::ostream& out, Answer answer) {
  constexpr const char* kNames[] = {"done", "absent",    "refused",
                                    "lost", "ambiguous", "fatal"};
  return out << kNames[static_cast<int>(answer)];
}

// Tells why the last answer was what it was.
#define EXPECT_ANSWER(session, request, answer) \
  EXPECT_EQ((session).request, answer)          \
      << (session).trouble().code << ": " << (session).trouble().text

using Knobs = std::vector<std::pair<std::string, std::string>>;

inline DatabaseOptions options_of(const Driver& driver, std::string url,
                                  std::string_view level, Knobs knobs = {}) {
  DatabaseOptions options;
  options.urls = {std::move(url)};
  options.level = find_row(driver.levels, level);
  EXPECT_NE(options.level, nullptr) << level;
  options.knobs = std::move(knobs);
  options.timeout_seconds = 1;  // who waits for a lock waits in vain here
  return options;
}

class ByHand : public testing::Test {
 protected:
  // What read_id says of a key that is not there; of a read that failed.
  static constexpr WriteId kAbsent = ~WriteId{0};
  static constexpr WriteId kFailed = kAbsent - 1;

  explicit ByHand(std::string_view driver)
      : driver_(find_row(drivers(), driver)), url_(driver) {}

  void SetUp() override {
    ASSERT_NE(driver_, nullptr);
    if (driver_->open == nullptr) {
      GTEST_SKIP() << "not built: " << driver_->package << " is missing";
    }
  }

  // x and y are there, with payloads "first" and "".
  void open(std::string_view level, Knobs knobs = {}) {
    sessions_.clear();
    database_.reset();
    auto opened =
        driver_->open(options_of(*driver_, url_, level, std::move(knobs)));
    ASSERT_TRUE(opened) << to_string(opened.error());
    database_ = std::move(*opened);
    reset();
  }
  // Likewise, a server of its own.
  void start(std::string_view level, Knobs knobs = {},
             std::vector<Fault> faults = {}) {
    DatabaseOptions options =
        options_of(*driver_, url_, level, std::move(knobs));
    options.start = true;
    options.faults = std::move(faults);
    auto opened = driver_->open(options);
    ASSERT_TRUE(opened) << to_string(opened.error());
    database_ = std::move(*opened);
    reset();
  }
  void reset() {
    const Outcome failed = database_->reset([](const PutRow& put) {
      put("x", "first");
      put("y", "");
    });
    ASSERT_FALSE(failed) << to_string(*failed);
  }

  Connection& connect(unsigned node = 0) {
    auto connected =
        database_->connect(static_cast<unsigned>(sessions_.size()), node);
    EXPECT_TRUE(connected) << to_string(connected.error());
    sessions_.push_back(std::move(*connected));
    return *sessions_.back();
  }

  static WriteId read_id(Connection& session, std::string_view key) {
    Content content;
    const Answer answer = session.read(key, content);
    if (answer == Answer::absent) return kAbsent;
    if (answer != Answer::done) return kFailed;
    return content.id;
  }

  // In a transaction of its own.
  static WriteId committed_id(Connection& session, std::string_view key) {
    EXPECT_ANSWER(session, begin(true), Answer::done);
    const WriteId id = read_id(session, key);
    EXPECT_ANSWER(session, commit(), Answer::done);
    return id;
  }
  static void write_alone(Connection& session, std::string_view key,
                          WriteId id) {
    EXPECT_ANSWER(session, begin(false), Answer::done);
    EXPECT_ANSWER(session, write(key, id, "alone"), Answer::done);
    EXPECT_ANSWER(session, commit(), Answer::done);
  }

  // What every database must do, whatever its level.
  void expect_basics() {
    Connection& a = connect();
    Content content;
    EXPECT_ANSWER(a, begin(false), Answer::done);
    EXPECT_ANSWER(a, read("x", content), Answer::done);
    EXPECT_EQ(content.id, 0U);
    EXPECT_EQ(content.payload, "first");
    EXPECT_EQ(read_id(a, "nobody"), kAbsent);
    // Keys and payloads are bytes; ids have 63 bits.
    const std::string payload("\0\xff'\\ \n", 6);
    const WriteId id = 0x7fff'ffff'ffff'fffeU;
    const std::string long_key(kMaxKey, 'k');
    EXPECT_ANSWER(a, write("it's \xc3\xa4", id, payload), Answer::done);
    EXPECT_ANSWER(a, write(long_key, 5, ""), Answer::done);
    EXPECT_ANSWER(a, read("it's \xc3\xa4", content), Answer::done);
    EXPECT_EQ(content.id, id);
    EXPECT_EQ(content.payload, payload);
    EXPECT_ANSWER(a, write("x", 6, ""), Answer::done);
    EXPECT_ANSWER(a, write("x", 7, ""), Answer::done);
    EXPECT_EQ(read_id(a, "x"), 7U);
    EXPECT_ANSWER(a, commit(), Answer::done);
    EXPECT_EQ(committed_id(a, long_key), 5U);
    EXPECT_EQ(committed_id(a, "x"), 7U);
    // What was rolled back never was.
    EXPECT_ANSWER(a, begin(false), Answer::done);
    EXPECT_ANSWER(a, write("x", 8, ""), Answer::done);
    EXPECT_ANSWER(a, write("new", 9, ""), Answer::done);
    EXPECT_ANSWER(a, rollback(), Answer::done);
    EXPECT_EQ(committed_id(a, "x"), 7U);
    EXPECT_EQ(committed_id(a, "new"), kAbsent);
    if (driver_->lists) expect_lists(a);
    // A reset leaves nothing but what is loaded.
    sessions_.clear();
    reset();
    Connection& b = connect();
    EXPECT_EQ(committed_id(b, "x"), 0U);
    EXPECT_EQ(committed_id(b, long_key), kAbsent);
  }

  static void expect_lists(Connection& session) {
    std::vector<WriteId> elements = {99};
    EXPECT_ANSWER(session, begin(false), Answer::done);
    EXPECT_ANSWER(session, read_list("x", elements), Answer::absent);
    EXPECT_ANSWER(session, append("x", 30), Answer::done);
    EXPECT_ANSWER(session, append("x", 0x7fff'ffff'ffff'fffdU), Answer::done);
    EXPECT_ANSWER(session, read_list("x", elements), Answer::done);
    EXPECT_EQ(elements, (std::vector<WriteId>{30, 0x7fff'ffff'ffff'fffdU}));
    EXPECT_ANSWER(session, commit(), Answer::done);
    EXPECT_ANSWER(session, begin(false), Answer::done);
    EXPECT_ANSWER(session, append("x", 32), Answer::done);
    EXPECT_ANSWER(session, rollback(), Answer::done);
    EXPECT_ANSWER(session, begin(true), Answer::done);
    EXPECT_ANSWER(session, read_list("x", elements), Answer::done);
    EXPECT_EQ(elements, (std::vector<WriteId>{30, 0x7fff'ffff'ffff'fffdU}));
    // Contents of that name are another matter.
    EXPECT_EQ(read_id(session, "x"), 7U);
    EXPECT_ANSWER(session, commit(), Answer::done);
  }

  // Many sessions at once count up in x: each reads, and writes one more.
  // `exact`: no update may be lost.
  void expect_counting(bool exact) {
    constexpr int kSessions = 6;
    constexpr int kRounds = 40;
    std::atomic<WriteId> committed = 0;
    std::atomic<int> odd = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < kSessions; ++i) {
      Connection& session = connect();
      threads.emplace_back([&session, &committed, &odd, i] {
        const auto fine = [&](Answer answer) {
          if (answer == Answer::done) return true;
          if (answer != Answer::refused) ++odd;
          if (session.rollback() != Answer::done) ++odd;
          return false;
        };
        Content content;
        for (int round = 0; round < kRounds; ++round) {
          if (fine(session.begin(false)) && fine(session.read("x", content)) &&
              // No two writes are alike, or one could be taken for none.
              fine(session.write("x", content.id + 1,
                                 std::to_string(round * kSessions + i))) &&
              fine(session.commit())) {
            ++committed;
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(odd, 0);
    EXPECT_GT(committed, 0U);
    const WriteId counted = committed_id(connect(), "x");
    if (exact) {
      EXPECT_EQ(counted, committed);
    } else {
      EXPECT_LE(counted, committed);
    }
  }

  const Driver* driver_;
  std::string url_;
  std::unique_ptr<Database> database_;
  std::vector<std::unique_ptr<Connection>> sessions_;  // go first
};

}  // namespace awdit
