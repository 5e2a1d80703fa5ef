// The C ABI from within: bad use has results, threads do not know each other.
// The C and C++ clients of tests/library show the rest.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "awdit/awdit.h"

namespace {

using std::chrono::milliseconds;

// An error that is freed, and what it says.
struct Said {
  ~Said() { awdit_error_free(error); }
  awdit_error** operator&() { return &error; }
  std::string message() const { return awdit_error_message(error); }
  awdit_error* error = nullptr;
};

awdit_session* session_of(awdit_builder* builder, std::int64_t number) {
  const awdit_value name = awdit_integer(number);
  awdit_session* session = nullptr;
  EXPECT_EQ(awdit_builder_session(builder, &name, &session), AWDIT_OK);
  return session;
}

awdit_builder* new_builder() {
  awdit_builder* builder = nullptr;
  EXPECT_EQ(awdit_builder_new(AWDIT_ABI, &builder, nullptr), AWDIT_OK);
  return builder;
}

// What finish() says of a builder that was used so; frees it.
std::string mistake_of(awdit_builder* builder) {
  awdit_history* history = nullptr;
  Said said;
  EXPECT_EQ(awdit_builder_finish(builder, nullptr, &history, &said),
            AWDIT_MISUSE);
  EXPECT_EQ(history, nullptr);
  awdit_builder_free(builder);
  return said.message();
}

// Session s writes key s, then reads the key of its neighbour: many rounds, of
// which nothing is known, so that a strong level takes long.
awdit_history* long_history(std::int64_t rounds) {
  constexpr std::int64_t kSessions = 12;
  awdit_builder* const builder = new_builder();
  std::uint64_t random = 1;
  std::vector<std::int64_t> last(kSessions, 0);
  for (std::int64_t round = 1; round <= rounds; ++round) {
    for (std::int64_t s = 0; s < kSessions; ++s) {
      awdit_session* const session = session_of(builder, s);
      awdit_session_begin(session, AWDIT_NO_ID);
      for (int i = 0; i < 3; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const auto of = static_cast<std::int64_t>(random >> 33) % kSessions;
        if (last[of] != 0) awdit_session_read_integer(session, of, last[of]);
      }
      awdit_session_write_integer(session, s, round);
      awdit_session_commit(session);
    }
    for (std::int64_t s = 0; s < kSessions; ++s) last[s] = round;
  }
  awdit_history* history = nullptr;
  EXPECT_EQ(awdit_builder_finish(builder, nullptr, &history, nullptr),
            AWDIT_OK);
  awdit_builder_free(builder);
  return history;
}

TEST(Abi, CallsOutOfOrderAreRememberedAndSaid) {
  {
    awdit_builder* const builder = new_builder();
    awdit_session* const session = session_of(builder, 1);
    EXPECT_EQ(awdit_session_write_integer(session, 1, 1), AWDIT_MISUSE);
    EXPECT_EQ(awdit_session_begin(session, AWDIT_NO_ID), AWDIT_OK);
    EXPECT_EQ(awdit_session_write_integer(session, 1, 1), AWDIT_OK);
    EXPECT_EQ(awdit_session_commit(session), AWDIT_MISUSE);
    EXPECT_EQ(mistake_of(builder),
              "a session is used outside of a transaction");
  }
  {
    awdit_builder* const builder = new_builder();
    awdit_session* const session = session_of(builder, 1);
    awdit_session_begin(session, 1);
    EXPECT_EQ(awdit_session_begin(session, 2), AWDIT_MISUSE);
    EXPECT_EQ(mistake_of(builder),
              "a transaction begins within another of its session");
  }
  {
    awdit_builder* const builder = new_builder();
    awdit_session* const session = session_of(builder, 1);
    for (int i = 0; i < 2; ++i) {
      awdit_session_begin(session, 7);
      awdit_session_write_integer(session, 1, i);
      awdit_session_commit(session);
    }
    EXPECT_EQ(mistake_of(builder),
              "two transactions of a session have the id 7");
  }
}

TEST(Abi, WhatDoesNotGoTogetherIsSaid) {
  const awdit_value key = awdit_integer(1), one = awdit_integer(1);
  {
    awdit_builder* const builder = new_builder();
    awdit_session* const session = session_of(builder, 1);
    awdit_session_begin(session, AWDIT_NO_ID);
    awdit_session_append(session, &key, &one);
    awdit_session_write(session, &key, &one);
    EXPECT_EQ(awdit_session_commit(session), AWDIT_MISUSE);
    EXPECT_EQ(mistake_of(builder),
              "a history holds lists or single values, not both");
  }
  {
    awdit_builder* const builder = new_builder();
    awdit_session* const session = session_of(builder, 1);
    awdit_session_begin(session, AWDIT_NO_ID);
    awdit_session_times(session, 2, 1);
    EXPECT_EQ(awdit_session_commit(session), AWDIT_MISUSE);
    EXPECT_EQ(mistake_of(builder), "a transaction ends before it begins");
  }
  {
    awdit_builder* const builder = new_builder();
    awdit_session* const session = session_of(builder, 1);
    awdit_session_begin(session, 3);
    awdit_session_commit(session);
    awdit_session_begin(session, AWDIT_NO_ID);
    EXPECT_EQ(awdit_session_commit(session), AWDIT_MISUSE);
    EXPECT_EQ(mistake_of(builder),
              "some transactions have ids, others have none");
  }
  {
    awdit_builder* const builder = new_builder();
    awdit_session* const session = session_of(builder, 1);
    awdit_session_begin(session, 3);
    EXPECT_EQ(awdit_session_note(session, "1}, \"x\": {"), AWDIT_MISUSE);
    EXPECT_EQ(mistake_of(builder), "this is not a JSON value");
  }
}

TEST(Abi, NothingIsAValueOrAHandle) {
  awdit_builder* const builder = new_builder();
  awdit_session* const session = session_of(builder, 1);
  const awdit_value key = awdit_integer(1);
  awdit_value odd = key;
  odd.kind = 99;
  awdit_session_begin(session, 1);
  EXPECT_EQ(awdit_session_write(session, &key, &odd), AWDIT_MISUSE);
  EXPECT_EQ(awdit_session_write(session, nullptr, &key), AWDIT_MISUSE);
  EXPECT_EQ(awdit_session_read_list(session, &key, nullptr, 1), AWDIT_MISUSE);
  EXPECT_EQ(awdit_session_node(session, nullptr), AWDIT_MISUSE);
  EXPECT_EQ(awdit_builder_session(builder, nullptr, nullptr), AWDIT_MISUSE);
  EXPECT_EQ(awdit_builder_clock(builder, 17), AWDIT_MISUSE);
  awdit_builder_free(builder);

  Said said;
  EXPECT_EQ(awdit_check(nullptr, nullptr, nullptr, nullptr, &said),
            AWDIT_MISUSE);
  EXPECT_EQ(awdit_session_commit(nullptr), AWDIT_MISUSE);
  EXPECT_EQ(awdit_builder_finish(nullptr, nullptr, nullptr, nullptr),
            AWDIT_MISUSE);
  EXPECT_EQ(awdit_verify(nullptr, nullptr, 0, nullptr, nullptr, nullptr),
            AWDIT_MISUSE);
  EXPECT_EQ(awdit_shrink(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                         nullptr),
            AWDIT_MISUSE);
  EXPECT_EQ(awdit_options_threads(nullptr, 1), AWDIT_MISUSE);
  EXPECT_EQ(awdit_report_worst(nullptr), -1);
  EXPECT_EQ(awdit_report_level(nullptr, 0), nullptr);
  EXPECT_EQ(awdit_history_operations(nullptr), 0u);
  EXPECT_EQ(awdit_history_warning(nullptr, 0), nullptr);
  EXPECT_STREQ(awdit_error_message(nullptr), "");
  awdit_error_free(nullptr);
  awdit_report_free(nullptr);
  awdit_history_free(nullptr);
  awdit_builder_free(nullptr);
  awdit_bytes_free(nullptr);
}

TEST(Abi, AnotherVersionIsRefused) {
  awdit_builder* builder = nullptr;
  Said said;
  EXPECT_EQ(awdit_builder_new(AWDIT_ABI + 1, &builder, &said), AWDIT_MISUSE);
  EXPECT_EQ(builder, nullptr);
  EXPECT_EQ(said.message(),
            "the program was made for version 2 of the ABI, but this library "
            "has version 1");
  awdit_options* options = nullptr;
  EXPECT_EQ(awdit_options_new(0, &options, nullptr), AWDIT_MISUSE);
}

TEST(Abi, OpenTransactionsAreOfUnknownOutcome) {
  awdit_builder* const builder = new_builder();
  awdit_session* const session = session_of(builder, 1);
  awdit_session_begin(session, AWDIT_NO_ID);
  awdit_session_write_integer(session, 1, 1);
  awdit_history* history = nullptr;
  ASSERT_EQ(awdit_builder_finish(builder, nullptr, &history, nullptr),
            AWDIT_OK);
  EXPECT_EQ(awdit_session_commit(session), AWDIT_MISUSE);
  awdit_builder_free(builder);
  awdit_bytes* bytes = nullptr;
  ASSERT_EQ(awdit_history_write(history, "awdit-jsonl", nullptr, &bytes,
                                nullptr, nullptr),
            AWDIT_OK);
  EXPECT_NE(std::strstr(awdit_bytes_data(bytes), "unknown"), nullptr);
  awdit_bytes_free(bytes);
  awdit_history_free(history);
}

TEST(Abi, TextsOfTablesEnd) {
  for (int table = AWDIT_LEVELS; table <= AWDIT_REPORTS; ++table) {
    for (std::size_t i = 0; i < awdit_table_size(table); ++i) {
      EXPECT_LT(std::strlen(awdit_table_name(table, i)), 60u);
      EXPECT_LT(std::strlen(awdit_table_summary(table, i)), 300u);
      for (std::size_t j = 0; awdit_table_alias(table, i, j) != nullptr; ++j) {
        EXPECT_LT(std::strlen(awdit_table_alias(table, i, j)), 60u);
      }
    }
    EXPECT_EQ(awdit_table_name(table, awdit_table_size(table)), nullptr);
  }
}

TEST(Abi, SessionsMayRecordInThreadsOfTheirOwn) {
  constexpr int kThreads = 4, kTxns = 500;
  awdit_builder* const builder = new_builder();
  std::vector<std::thread> clients;
  for (int c = 0; c < kThreads; ++c) {
    clients.emplace_back([builder, c] {
      awdit_session* const session = session_of(builder, c);
      const std::string text = "key " + std::to_string(c);
      const awdit_value key = awdit_text(text.data(), text.size());
      for (int i = 0; i < kTxns; ++i) {
        const awdit_value value = awdit_integer(i);
        awdit_session_begin(session, i);
        awdit_session_write(session, &key, &value);
        awdit_session_commit(session);
      }
    });
  }
  for (std::thread& client : clients) client.join();
  awdit_history* history = nullptr;
  ASSERT_EQ(awdit_builder_finish(builder, nullptr, &history, nullptr),
            AWDIT_OK);
  awdit_builder_free(builder);
  EXPECT_EQ(awdit_history_sessions(history), 4u);
  EXPECT_EQ(awdit_history_keys(history), 4u);
  EXPECT_EQ(awdit_history_transactions(history), 2000u);
  awdit_history_free(history);
}

// One check is cancelled at once and again and again; another one of the same
// history at the same time is not disturbed.
TEST(Abi, ChecksInTwoThreadsDoNotKnowEachOther) {
  awdit_history* const history = long_history(40);
  awdit_cancel* cancel = nullptr;
  ASSERT_EQ(awdit_cancel_new(AWDIT_ABI, &cancel, nullptr), AWDIT_OK);
  std::atomic<int> cancelled{0};
  std::atomic<bool> stop{false};
  std::thread other([&] {
    awdit_options* options = nullptr;
    awdit_options_new(AWDIT_ABI, &options, nullptr);
    awdit_options_cancel(options, cancel);
    awdit_options_threads(options, 2);
    awdit_cancel_now(cancel);
    while (!stop.load()) {
      awdit_report* report = nullptr;
      const awdit_status status =
          awdit_check(history, "all", options, &report, nullptr);
      if (status == AWDIT_CANCELLED && report == nullptr) ++cancelled;
    }
    awdit_options_free(options);
  });
  awdit_options* options = nullptr;
  awdit_options_new(AWDIT_ABI, &options, nullptr);
  awdit_options_threads(options, 2);
  for (int i = 0; i < 5; ++i) {
    awdit_report* report = nullptr;
    EXPECT_EQ(awdit_check(history, "causal", options, &report, nullptr),
              AWDIT_OK);
    EXPECT_EQ(awdit_report_verdict_on(report, "causal"), AWDIT_HOLDS);
    awdit_report_free(report);
  }
  while (cancelled.load() == 0) std::this_thread::yield();
  stop.store(true);
  other.join();
  EXPECT_EQ(awdit_cancel_asked(cancel), 1);
  awdit_cancel_free(cancel);
  awdit_options_free(options);
  awdit_history_free(history);
}

struct Heard {
  std::thread::id caller;
  int calls = 0;
  bool apart = false;
  int until = 0;  // the call that cancels
};

std::int32_t hear(void* user, const awdit_progress* progress) {
  auto& heard = *static_cast<Heard*>(user);
  heard.apart |= std::this_thread::get_id() != heard.caller;
  EXPECT_STREQ(progress->stage, "checking");
  return ++heard.calls == heard.until;
}

// Each round's transactions are unordered, so serializability is a search.
TEST(Abi, WhoeverHearsOfProgressMayCancel) {
  awdit_history* const history = long_history(4000);
  awdit_options* options = nullptr;
  awdit_options_new(AWDIT_ABI, &options, nullptr);
  awdit_options_time_limit(options, 30);
  Heard heard{.caller = std::this_thread::get_id(), .until = 1};
  awdit_options_progress(options, hear, &heard);
  awdit_report* report = nullptr;
  const auto began = std::chrono::steady_clock::now();
  const awdit_status status =
      awdit_check(history, "all", options, &report, nullptr);
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_FALSE(heard.apart);
  // A machine may be fast enough to be done first.
  EXPECT_EQ(status, heard.calls == 0 ? AWDIT_OK : AWDIT_CANCELLED);
  EXPECT_LT(took, std::chrono::seconds(20));
  awdit_report_free(report);
  awdit_options_free(options);
  awdit_history_free(history);
}

TEST(Abi, ReadingIsCancelledToo) {
  awdit_cancel* cancel = nullptr;
  ASSERT_EQ(awdit_cancel_new(AWDIT_ABI, &cancel, nullptr), AWDIT_OK);
  awdit_options* options = nullptr;
  awdit_options_new(AWDIT_ABI, &options, nullptr);
  awdit_options_cancel(options, cancel);
  awdit_cancel_now(cancel);
  const std::string text = "w(1,1,1,1)\n";
  awdit_history* history = nullptr;
  Said said;
  EXPECT_EQ(awdit_history_parse(AWDIT_ABI, text.data(), text.size(), "plume",
                                options, &history, &said),
            AWDIT_CANCELLED);
  EXPECT_EQ(said.message(), "this was cancelled");
  awdit_options_free(options);
  awdit_cancel_free(cancel);
}

TEST(Abi, SessionOrderMayBeLeftOut) {
  awdit_builder* const builder = new_builder();
  awdit_session* const one = session_of(builder, 1);
  awdit_session* const two = session_of(builder, 2);
  for (int i = 1; i <= 2; ++i) {
    awdit_session_begin(one, AWDIT_NO_ID);
    awdit_session_write_integer(one, 1, i);
    awdit_session_commit(one);
  }
  for (int i = 2; i >= 1; --i) {
    awdit_session_begin(two, AWDIT_NO_ID);
    awdit_session_read_integer(two, 1, i);
    awdit_session_commit(two);
  }
  awdit_history* history = nullptr;
  ASSERT_EQ(awdit_builder_finish(builder, nullptr, &history, nullptr),
            AWDIT_OK);
  awdit_builder_free(builder);
  awdit_options* options = nullptr;
  awdit_options_new(AWDIT_ABI, &options, nullptr);
  awdit_options_certificate(options, 1);
  for (const int order : {1, 0}) {
    awdit_options_session_order(options, order);
    awdit_report* report = nullptr;
    ASSERT_EQ(awdit_check(history, "causal", options, &report, nullptr),
              AWDIT_OK);
    EXPECT_EQ(awdit_report_worst(report),
              order == 1 ? AWDIT_VIOLATED : AWDIT_HOLDS);
    awdit_bytes* certificate = nullptr;
    awdit_report_certificate(report, &certificate, nullptr);
    awdit_checks* checks = nullptr;
    ASSERT_EQ(
        awdit_verify(history, awdit_bytes_data(certificate),
                     awdit_bytes_size(certificate), nullptr, &checks, nullptr),
        AWDIT_OK);
    EXPECT_EQ(awdit_checks_accepted(checks), 1);
    awdit_checks_free(checks);
    awdit_bytes_free(certificate);
    awdit_report_free(report);
  }
  awdit_options_free(options);
  awdit_history_free(history);
}

}  // namespace
