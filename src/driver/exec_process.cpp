#include "driver/exec_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "driver/exec_quote.h"

namespace awdit {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// Who writes to a driver that has gone is told by EPIPE, not by a signal; which
// stays pending for the thread, and harms nobody.
void hold_pipe_signal() {
  static thread_local const bool held = [] {
    sigset_t pipe_signal;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    return pthread_sigmask(SIG_BLOCK, &pipe_signal, nullptr) == 0;
  }();
  static_cast<void>(held);
}

// Whether something may be done with the file before the deadline.
bool wait_for(int file, short what, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    pollfd waited = {.fd = file, .events = what, .revents = 0};
    const auto most = std::clamp<std::int64_t>(left.count(), 0, 3'600'000);
    const int ready = poll(&waited, 1, static_cast<int>(most));
    if (ready > 0) return true;
    if (ready == 0 && Clock::now() >= deadline) return false;
    if (ready < 0 && errno != EINTR) return true;  // reading tells
  }
}

// That a driver has closed a pipe is often heard before that it has ended.
constexpr milliseconds kLastWords{500};

struct Pipe {
  Descriptor reads;
  Descriptor writes;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return Error{.message = "cannot make a pipe: " +
                            std::generic_category().message(errno)};
  }
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

void never_block(int file) {
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
}

// A shell that waits for the driver would be in between: what the kernel kills
// when we die is our child alone. So a simple command takes the shell's place.
std::string in_place_of_shell(const std::string& command) {
  const bool simple =
      command.find_first_of(";&|<>(){}`\n") == std::string::npos &&
      command.substr(0, command.find(' ')).find('=') == std::string::npos;
  return simple ? "exec " + command : command;
}

}  // namespace

Result<std::shared_ptr<ExecProcess>> ExecProcess::start(
    const std::string& command, ExecLog& log) {
  auto requests = make_pipe();
  if (!requests) return std::move(requests.error());
  auto replies = make_pipe();
  if (!replies) return std::move(replies.error());
  auto child = ChildProcess::start(
      {.words = {"/bin/sh", "-c", in_place_of_shell(command)},
       .environment = {},
       .directory = "",
       .log = log.path(),
       .account = std::nullopt,
       .input = requests->reads.number(),
       .output = replies->writes.number(),
       .our_environment = true});
  if (!child) return std::move(child.error());
  never_block(requests->writes.number());
  never_block(replies->reads.number());
  return std::shared_ptr<ExecProcess>(
      new ExecProcess(std::move(*child), std::move(requests->writes),
                      std::move(replies->reads)));
}

ExecProcess::ExecProcess(ChildProcess child, Descriptor input,
                         Descriptor output)
    : child_(std::move(child)),
      input_(std::move(input)),
      output_(std::move(output)) {}

// The end of its input tells it to go; who stays is killed, with all that it
// has started.
ExecProcess::~ExecProcess() {
  constexpr milliseconds kPatience{1000};
  input_ = Descriptor();
  if (!condemned_ && fate_ != Got::broken) child_.wait(kPatience);
}

void ExecProcess::open(std::uint64_t session) {
  const std::lock_guard lock(lock_);
  Box& box = boxes_[session];
  box.replies.clear();
  box.stale = box.asked;
  box.first = last_id_ + 1;
  box.open = true;
}

void ExecProcess::close(std::uint64_t session) {
  const std::lock_guard lock(lock_);
  Box& box = boxes_[session];
  box.replies.clear();
  box.stale = box.asked;
  box.open = false;
}

std::uint64_t ExecProcess::next_id() {
  const std::lock_guard lock(lock_);
  return ++last_id_;
}

bool ExecProcess::usable() const {
  const std::lock_guard lock(lock_);
  return fate_ == Got::reply && !condemned_;
}

bool ExecProcess::broken() const {
  const std::lock_guard lock(lock_);
  return fate_ == Got::broken;
}

std::string ExecProcess::reason() const {
  const std::lock_guard lock(lock_);
  return reason_;
}

// REQUIRES: the lock.
ExecProcess::Got ExecProcess::end(Got how, std::string reason) {
  if (fate_ == Got::reply) {
    fate_ = how;
    reason_ = std::move(reason);
  }
  changed_.notify_all();
  return fate_;
}

ExecProcess::Got ExecProcess::break_off(const std::string& mistake) {
  const std::lock_guard lock(lock_);
  return end(Got::broken, mistake);
}

ExecProcess::Got ExecProcess::send(std::uint64_t session,
                                   std::string_view lines, std::size_t count,
                                   Deadline deadline) {
  {
    const std::lock_guard lock(lock_);
    if (fate_ != Got::reply) return fate_;
    boxes_[session].asked += count;
  }
  hold_pipe_signal();
  const std::lock_guard writing(writing_);
  while (!lines.empty()) {
    const ssize_t wrote = ::write(input_.number(), lines.data(), lines.size());
    if (wrote > 0) {
      lines.remove_prefix(static_cast<std::size_t>(wrote));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno == EAGAIN && wait_for(input_.number(), POLLOUT, deadline)) {
      continue;
    }
    const bool late = errno == EAGAIN;
    // Half a line cannot be taken back.
    condemned_ = true;
    if (late) {
      const std::lock_guard lock(lock_);
      return end(Got::late, "the driver does not read its standard input");
    }
    const auto status = child_.wait(kLastWords);
    const std::lock_guard lock(lock_);
    return end(Got::ended, status ? "the driver ended: " + *status
                                  : "the driver closed its standard input");
  }
  return Got::reply;
}

ExecProcess::Got ExecProcess::receive(std::uint64_t session, ExecReply& reply,
                                      Deadline deadline) {
  std::unique_lock lock(lock_);
  for (;;) {
    Box& box = boxes_[session];
    if (!box.replies.empty()) {
      reply = std::move(box.replies.front());
      box.replies.pop_front();
      return Got::reply;
    }
    if (fate_ != Got::reply) return fate_;
    if (reading_) {
      if (changed_.wait_until(lock, deadline) == std::cv_status::timeout &&
          reading_ && boxes_[session].replies.empty() && fate_ == Got::reply) {
        return Got::late;
      }
      continue;
    }
    reading_ = true;
    lock.unlock();
    std::string line;
    const Got got = read_line(line, deadline);
    // Its last words often come before its exit code.
    const auto status =
        got == Got::ended ? child_.wait(kLastWords) : std::nullopt;
    lock.lock();
    reading_ = false;
    changed_.notify_all();
    if (got == Got::reply) {
      if (deliver(line) != Got::reply) return fate_;
    } else if (got == Got::ended) {
      if (!status) condemned_ = true;
      return end(got, status ? "the driver ended: " + *status
                             : "the driver closed its standard output");
    } else if (got == Got::broken) {
      return end(got, fmt::format("the driver sent a line longer than {} MiB: "
                                  "{}",
                                  kMaxLine >> 20, line));
    } else {
      return got;
    }
  }
}

ExecProcess::Got ExecProcess::read_line(std::string& line, Deadline deadline) {
  char bytes[1 << 16];
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      line.assign(buffer_, 0, end);
      buffer_.erase(0, end + 1);
      searched_ = 0;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return Got::reply;
    }
    searched_ = buffer_.size();
    if (searched_ > kMaxLine) {
      line = quoted_line(std::string_view(buffer_).substr(0, 200));
      buffer_ = std::string();
      return Got::broken;
    }
    const ssize_t got = ::read(output_.number(), bytes, sizeof bytes);
    if (got > 0) {
      buffer_.append(bytes, static_cast<std::size_t>(got));
    } else if (got == 0) {
      return Got::ended;
    } else if (errno == EAGAIN) {
      if (!wait_for(output_.number(), POLLIN, deadline)) return Got::late;
    } else if (errno != EINTR) {
      return Got::ended;
    }
  }
}

ExecProcess::Got ExecProcess::deliver(const std::string& line) {
  const auto wrong = [&](std::string_view mistake) {
    return end(Got::broken,
               fmt::format("the driver answered '{}', which breaks the "
                           "protocol: {}",
                           quoted_line(line), mistake));
  };
  std::optional<ExecReply> reply = reader_.read(line);
  if (!reply) return wrong(reader_.mistake());
  auto box = boxes_.begin();
  if (shared_) {
    box = boxes_.find(reply->session);
    if (box == boxes_.end()) {
      return wrong(
          "a driver that serves all sessions names in each reply the "
          "\"session\" of the request");
    }
  }
  if (box == boxes_.end() || box->second.asked == 0) {
    return wrong("nothing was asked: each request gets one reply");
  }
  --box->second.asked;
  const bool old = !box->second.open || reply->id < box->second.first;
  if (old && reply->id != 0 && box->second.stale > 0) {
    --box->second.stale;
    return Got::reply;
  }
  box->second.replies.push_back(std::move(*reply));
  changed_.notify_all();
  return Got::reply;
}

}  // namespace awdit
