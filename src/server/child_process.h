// A program that we start, and end: a server, or a driver of the user's.
//
// No shell is between us and it: what is run is a list of words. It has a
// session of its own (no Ctrl-C reaches it), inherits no open file, no way to
// take a signal and nothing of our environment, writes what it has to say to a
// log, and runs as another account if we are root.
//
// Invariant: it does not outlive us. The owner's destructor kills it with all
// its descendants; if we are killed, the kernel does (PR_SET_PDEATHSIG). That
// signal is sent when the *thread* that forked ends, so every child has a
// thread that forks it, waits for its end and takes note of it - which also
// makes waiting with a timeout easy, and a signal never meets a stranger who
// got the number of a dead child.
//
// Threads: any may ask, at the same time.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "server/account.h"

namespace awdit {

// What to run.
struct Launch {
  std::vector<std::string> words;  // the program's path, then its arguments
  // All that it gets, besides PATH, HOME and TMPDIR (the directory), LANG,
  // LC_ALL and TZ: what ours says, passwords above all, is not for it.
  std::vector<std::pair<std::string, std::string>> environment;
  std::string directory;  // to run in; "": ours
  // A file that its output is appended to, which we open: it must be in a
  // directory that nobody else can change.
  std::string log;
  std::optional<Account> account;
  // A file like the log that gets its number, or ""; see kProcessRoll.
  std::string roll = {};
  // Open files that it reads from and writes to instead of nothing and the log;
  // -1: none. The caller closes them once it runs.
  int input = -1;
  int output = -1;
  // It is the user's own: what our environment says is for it as well.
  bool our_environment = false;
};

class ChildProcess {
 public:
  // Returns when the program runs, or could not be executed.
  static Result<ChildProcess> start(const Launch& launch);

  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;
  ~ChildProcess();

  int id() const;
  bool running() const;
  // How it ended, "exit code 1" or "signal 9"; nothing: it has not, so far.
  std::optional<std::string> wait(std::chrono::milliseconds patience) const;

  // To the process alone; no matter if it has ended.
  void signal(int number) const;
  // To it and to all its descendants, which may have groups of their own.
  void signal_all(int number) const;
  // SIGKILL to all of them; returns when it is gone.
  void kill_all() const;
  // Asks by a signal (and lets it go on if it is paused), kills if that does
  // not help in time.
  void stop(int number, std::chrono::milliseconds patience) const;

  const std::string& log() const;

 private:
  struct State;
  explicit ChildProcess(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// -- things to do with one ----------------------------------------------------

// The path of a program: from $PATH, or else from one of the directories.
std::optional<std::string> find_program(
    std::string_view name, const std::vector<std::string>& directories);

// Runs a program to its end. An error, with the end of its log, if that does
// not come in time or is no success.
Outcome run_program(const Launch& launch, std::chrono::seconds patience);

// Asks `ready` again and again. An error, with the end of the log, if the child
// ends or does not get ready in time.
Outcome wait_until_ready(const ChildProcess& child,
                         const std::function<bool()>& ready,
                         std::chrono::seconds patience);

// The last lines of a file; "" if there is none.
std::string last_lines(const std::string& path);

}  // namespace awdit
