// A driver that runs: a child that takes lines and answers with lines. Private
// to driver/.
//
// One session has it for itself, or all sessions share it (multiplexed). Either
// way each waits for its own reply; whoever waits while nobody reads, reads,
// and puts what belongs to others where they find it. So there is no thread but
// those of the sessions, and each keeps its own deadline.
//
// Invariant: what a driver makes us keep is bounded. A line is at most kMaxLine
// long, and nobody may have more replies waiting than requests were sent.
//
// What breaks the protocol is remembered: all that ask from then on hear it.
// Threads: any, at the same time, but one per session.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"
#include "driver/exec_log.h"
#include "driver/exec_reply.h"
#include "server/server.h"

namespace awdit {

class ExecProcess {
 public:
  using Deadline = std::chrono::steady_clock::time_point;
  static constexpr std::size_t kMaxLine = std::size_t{8} << 20;

  // How waiting ended.
  enum class Got : std::uint8_t {
    reply,
    late,   // nothing came in time
    ended,  // it closed its standard output, or does not run any more
    broken  // it said what no driver may say
  };

  // `command`: for /bin/sh, which inherits what our user's environment says.
  static Result<std::shared_ptr<ExecProcess>> start(const std::string& command,
                                                    ExecLog& log);
  ~ExecProcess();
  ExecProcess(const ExecProcess&) = delete;
  ExecProcess& operator=(const ExecProcess&) = delete;

  // From now on lines name their session, and replies must.
  void share() { shared_ = true; }
  bool shared() const { return shared_; }
  void open(std::uint64_t session);
  // Nobody waits for its replies any more.
  void close(std::uint64_t session);
  std::uint64_t next_id();

  // `count` requests, a line each, with their line feeds.
  Got send(std::uint64_t session, std::string_view lines, std::size_t count,
           Deadline deadline);
  Got receive(std::uint64_t session, ExecReply& reply, Deadline deadline);
  // Whoever waits or will wait hears it; returns broken.
  Got break_off(const std::string& mistake);

  // Why it is over; "exit code 1" or what is wrong with which line.
  std::string reason() const;
  // It shall not be given time to end in good order.
  void condemn() { condemned_ = true; }
  bool usable() const;
  // Whether it broke the protocol.
  bool broken() const;

 private:
  struct Box {
    std::deque<ExecReply> replies;
    std::size_t asked = 0;    // requests whose replies have not come yet
    std::size_t stale = 0;    // of these, those that nobody waits for any more
    std::uint64_t first = 0;  // what has a lower id was asked by a predecessor
    bool open = false;
  };

  ExecProcess(ChildProcess child, Descriptor input, Descriptor output);
  // Reads until a line is there. REQUIRES: reading_ is ours.
  Got read_line(std::string& line, Deadline deadline);
  // Puts it where it belongs. REQUIRES: the lock.
  Got deliver(const std::string& line);
  Got end(Got how, std::string reason);

  const ChildProcess child_;
  Descriptor input_;   // of the child: we write
  Descriptor output_;  // of the child: we read
  std::atomic<bool> shared_{false};
  std::atomic<bool> condemned_{false};

  std::mutex writing_;  // guards the input

  mutable std::mutex lock_;  // guards what follows
  std::condition_variable changed_;
  bool reading_ = false;  // somebody reads, without the lock
  std::map<std::uint64_t, Box> boxes_;
  std::uint64_t last_id_ = 0;
  Got fate_ = Got::reply;  // ended or broken: it stays so
  std::string reason_;

  // The reader's.
  std::string buffer_;
  std::size_t searched_ = 0;  // bytes of it without a line feed
  ExecReader reader_;
};

}  // namespace awdit
