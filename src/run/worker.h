// One session at work: takes steps of its tasks, has the database carry them
// out, records what came back. Private to run/.
//
// The phase decides what a failure means (docs/recording.md):
//
//   connecting, BEGIN              nothing happened, nothing is recorded
//   an operation                   aborted: the database cannot commit unasked
//   COMMIT refused                 aborted
//   COMMIT without an answer       unknown; the session ends, and a new one
//                                  with a new connection takes its place
//   ... of one that wrote nothing  aborted: nobody can have read from it
//
// Threads: one thread at a time, but the tally may be read by others.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "driver/driver.h"
#include "run/retry.h"
#include "run/run.h"
#include "run/session_log.h"
#include "workload/workload.h"

namespace awdit {

// What all workers of a run share.
struct RunShared {
  Database& database;
  const RunOptions& options;
  bool simulated;
  std::uint16_t nonce;
  std::vector<std::string> nodes;
  std::atomic<bool> stop{false};
  std::atomic<std::uint32_t> sessions{0};  // numbers given away
  std::atomic<std::uint64_t> events{0};    // the clock of a simulation
  // Nanoseconds that a request took in the fastest transaction so far.
  std::atomic<double> best{1e18};
  std::chrono::steady_clock::time_point began{};
  std::int64_t epoch = 0;  // nanoseconds of the wall clock when it began

  std::mutex mutex{};  // guards the error
  Outcome error{};

  // Nanoseconds since 1970 that never go back, or a simulation's events.
  std::int64_t now();
  // The first error counts; everybody stops.
  void fail(Error reason);
  bool late() const;  // the duration is over
};

class Worker {
 public:
  // `client` may be null if tasks are given by `give`. `tasks`: how many it
  // does; UINT64_MAX: until somebody says stop.
  Worker(RunShared& shared, std::uint32_t number,
         std::unique_ptr<Client> client, std::uint64_t tasks,
         std::unique_ptr<SessionLog> log);

  // One request to the database; false: the worker has finished.
  bool step();
  // Steps until it has finished.
  void run();
  // A task besides those of its client.
  void give(Task task);
  // Puts the file in order. To be called last.
  Outcome close();

  SessionTally tally;
  std::atomic<std::uint64_t> tasks{0};
  void add_reasons(std::vector<TroubleCount>& reasons) const;

 private:
  using Clock = std::chrono::steady_clock;

  bool next_task();
  void new_session();
  void carry_out(const Request& step);
  void begin(const Request& step);
  void read(const Request& step);
  // Or appends.
  void write(const Request& step);
  void read_list(const Request& step);
  void commit();
  void rollback();
  // Of databases that take transactions whole (worker_whole.cpp): each step is
  // kept until the commit.
  void keep(const Request& step);
  void commit_whole();
  // What a step of a committed transaction has done or found. What is not of
  // this run ends it.
  void note(const WholeStep& step);

  bool connected();
  Connection& connection() { return *connections_[node_]; }
  // The transaction did not commit, because of `answer`.
  void give_up(Answer answer);
  void after(Answer answer);
  void drop_task(bool refused);
  void end(Status status);
  bool ours(std::string_view key, WriteId id);
  // It read what somebody wrote.
  void met(WriteId id);
  // A transaction that took so long is over.
  void took(std::int64_t nanoseconds);
  // A commit without a yes.
  void without_commit(Answer answer);
  std::optional<WriteId> next_id();
  void pause();
  void count(const Trouble& trouble);

  RunShared& shared_;
  std::unique_ptr<Client> client_;
  std::uint64_t left_;
  std::unique_ptr<SessionLog> log_;
  Random random_;  // for tasks
  Random pauses_;  // for pauses and nodes
  std::uint32_t session_ = 0;
  std::uint32_t writes_ = 0;
  std::optional<Task> task_;
  Retry retry_;                 // of the task
  bool active_ = false;         // between begin and commit
  std::int64_t began_ = 0;      // when, if it is recorded
  std::uint32_t requests_ = 0;  // of the transaction
  bool wrote_ = false;          // the transaction did, or may have
  std::uint32_t node_ = 0;
  std::vector<std::unique_ptr<Connection>> connections_;  // [node]
  std::vector<WholeStep> steps_;  // of a transaction that will be sent whole
  Content content_;
  std::vector<WriteId> elements_;
  Trouble trouble_;
  mutable std::mutex mutex_;  // guards the reasons; only failures take it
  std::vector<TroubleCount> reasons_;
};

}  // namespace awdit
