// A history fed to the C ABI call by call and checked at all levels, beside the
// same history read from a file and checked: what recording into the library
// costs. Prints a line each, in turns: what, seconds in all, seconds before the
// check.
//
//   feed PATH [THREADS [ROUNDS]]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "awdit/awdit.h"
#include "format/format.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

void expect(awdit_status status, awdit_error* error) {
  if (status == AWDIT_OK) return;
  std::fputs(awdit_error_text(error), stderr);
  std::exit(2);
}

// What a client would have at hand; REQUIRES: integers only.
struct Call {
  std::int64_t key, value;
  std::uint32_t session;
  bool write, first, last;  // of its transaction
};

std::vector<Call> calls_of(const awdit::History& history) {
  std::vector<Call> calls;
  for (const std::uint32_t t : history.input_order()) {
    const awdit::TxnId txn(t);
    for (const awdit::OpId op : history.ops(txn)) {
      calls.push_back(
          {static_cast<std::int64_t>(history.key_atom(history.key(op)).bits),
           static_cast<std::int64_t>(history.value(op).bits),
           history.session(txn).v, history.is_write(op),
           op.v == history.txn_ops()[t].begin,
           op.v + 1 == history.txn_ops()[t].end});
    }
  }
  return calls;
}

awdit_history* feed(const std::vector<Call>& calls, std::uint32_t sessions,
                    const awdit_options* options) {
  awdit_builder* builder = nullptr;
  awdit_error* error = nullptr;
  expect(awdit_builder_new(AWDIT_ABI, &builder, &error), error);
  const awdit_value zero = awdit_integer(0);
  awdit_builder_initial(builder, &zero);
  std::vector<awdit_session*> clients(sessions);
  for (std::uint32_t s = 0; s < sessions; ++s) {
    const awdit_value name = awdit_integer(s);
    awdit_builder_session(builder, &name, &clients[s]);
  }
  for (const Call& call : calls) {
    awdit_session* const client = clients[call.session];
    if (call.first) awdit_session_begin(client, AWDIT_NO_ID);
    if (call.write) {
      awdit_session_write_integer(client, call.key, call.value);
    } else {
      awdit_session_read_integer(client, call.key, call.value);
    }
    if (call.last) awdit_session_commit(client);
  }
  awdit_history* history = nullptr;
  expect(awdit_builder_finish(builder, options, &history, &error), error);
  awdit_builder_free(builder);
  return history;
}

awdit_history* read(const char* path, const awdit_options* options) {
  awdit_history* history = nullptr;
  awdit_error* error = nullptr;
  expect(awdit_history_read(AWDIT_ABI, &path, 1, nullptr, options, &history,
                            &error),
         error);
  return history;
}

void check(awdit_history* history, const awdit_options* options,
           const char* what, Clock::time_point began) {
  const double before = seconds_since(began);
  awdit_report* report = nullptr;
  awdit_error* error = nullptr;
  expect(awdit_check(history, "all", options, &report, &error), error);
  std::printf("%s\t%.6f\t%.6f\n", what, seconds_since(began), before);
  awdit_report_free(report);
  awdit_history_free(history);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: feed PATH [THREADS [ROUNDS]]\n", stderr);
    return 2;
  }
  const auto number = [&](int i, int usual) {
    return static_cast<unsigned>(argc > i ? std::atoi(argv[i]) : usual);
  };
  awdit_options* options = nullptr;
  expect(awdit_options_new(AWDIT_ABI, &options, nullptr), nullptr);
  awdit_options_threads(options, number(2, 1));
  const awdit::Result<awdit::Loaded> loaded =
      awdit::read_history(std::string(argv[1]), nullptr, 1);
  if (!loaded) {
    std::fputs(to_string(loaded.error()).c_str(), stderr);
    return 2;
  }
  const std::vector<Call> calls = calls_of(loaded->history);
  for (unsigned round = 0; round < number(3, 1); ++round) {
    auto began = Clock::now();
    check(read(argv[1], options), options, "read", began);
    began = Clock::now();
    check(feed(calls, loaded->history.num_sessions(), options), options, "feed",
          began);
  }
  awdit_options_free(options);
  return 0;
}
