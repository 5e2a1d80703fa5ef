// A history fed to the C ABI call by call and checked at all levels, beside the
// same history read from a file and checked: what recording into the library
// costs. Prints a line each, in turns: what, seconds in all, seconds before the
// check.
//
//   feed PATH [THREADS [ROUNDS]]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
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

// What a client would have at hand. REQUIRES: keys are integers, values are
// integers or nil.
struct Call {
  std::int64_t key, value;
  bool write, nil;
};
struct Txn {
  std::uint32_t session, calls;
  awdit::Status status;
  std::optional<awdit::History::Times> times;
};
struct Script {
  std::uint32_t sessions = 0;
  awdit::Clock clock{};
  bool initial_nil = false;
  std::vector<Txn> txns;
  std::vector<Call> calls;
};

Script script_of(const awdit::History& history) {
  Script script;
  script.sessions = history.num_sessions();
  script.clock = history.clock();
  script.initial_nil = history.initial_value() == awdit::Atom::nil();
  for (const std::uint32_t t : history.input_order()) {
    const awdit::TxnId txn(t);
    script.txns.push_back({history.session(txn).v, history.txn_ops()[t].size(),
                           history.status(txn), history.times(txn)});
    for (const awdit::OpId op : history.ops(txn)) {
      const awdit::Atom value = history.value(op);
      script.calls.push_back(
          {static_cast<std::int64_t>(history.key_atom(history.key(op)).bits),
           static_cast<std::int64_t>(value.bits), history.is_write(op),
           value.kind == awdit::Atom::Kind::nil});
    }
  }
  return script;
}

void record(const Txn& txn, const Call* call, awdit_session* client) {
  const awdit_value nil = awdit_nil();
  awdit_session_begin(client, AWDIT_NO_ID);
  for (const Call* const end = call + txn.calls; call != end; ++call) {
    if (call->write) {
      awdit_session_write_integer(client, call->key, call->value);
    } else if (call->nil) {
      const awdit_value key = awdit_integer(call->key);
      awdit_session_read(client, &key, &nil);
    } else {
      awdit_session_read_integer(client, call->key, call->value);
    }
  }
  if (txn.times) awdit_session_times(client, txn.times->begin, txn.times->end);
  switch (txn.status) {
    case awdit::Status::committed:
      awdit_session_commit(client);
      break;
    case awdit::Status::aborted:
      awdit_session_abort(client);
      break;
    case awdit::Status::unknown:
      awdit_session_unknown(client);
      break;
  }
}

awdit_history* feed(const Script& script, const awdit_options* options) {
  awdit_builder* builder = nullptr;
  awdit_error* error = nullptr;
  expect(awdit_builder_new(AWDIT_ABI, &builder, &error), error);
  const awdit_value zero = awdit_integer(0);
  if (!script.initial_nil) awdit_builder_initial(builder, &zero);
  if (script.clock != awdit::Clock::none) {
    awdit_builder_clock(builder, static_cast<std::int32_t>(script.clock));
  }
  std::vector<awdit_session*> clients(script.sessions);
  for (std::uint32_t s = 0; s < script.sessions; ++s) {
    const awdit_value name = awdit_integer(s);
    awdit_builder_session(builder, &name, &clients[s]);
  }
  const Call* call = script.calls.data();
  for (const Txn& txn : script.txns) {
    record(txn, call, clients[txn.session]);
    call += txn.calls;
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
  const Script script = script_of(loaded->history);
  for (unsigned round = 0; round < number(3, 1); ++round) {
    auto began = Clock::now();
    check(read(argv[1], options), options, "read", began);
    began = Clock::now();
    check(feed(script, options), options, "feed", began);
  }
  awdit_options_free(options);
  return 0;
}
