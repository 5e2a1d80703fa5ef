#include "cli/supervisor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

#include "base/descendants.h"
#include "base/temporary_directory.h"
#include "cli/console.h"
#include "cli/signals.h"

namespace awdit::cli {
namespace {

namespace fs = std::filesystem;

// The directories on the way to `place` that do not exist, innermost first.
std::vector<std::string> missing_directories(const std::string& place) {
  std::vector<std::string> missing;
  if (place.empty()) return missing;
  std::error_code failed;
  fs::path path = fs::absolute(place, failed).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // it ended with a slash
  while (!failed && path.has_relative_path() &&
         !fs::exists(fs::symlink_status(path, failed))) {
    missing.push_back(path.string());
    path = path.parent_path();
    failed.clear();
  }
  return missing;
}

// Those that are empty, and that no other run has taken meanwhile.
void remove_empty(const std::vector<std::string>& directories) {
  for (const std::string& path : directories) {
    const int fd =
        ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) continue;
    const bool taken =
        ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken) ::rmdir(path.c_str());
    ::close(fd);
  }
}

// Stops with the child, and goes on with it.
void stop_both(pid_t child) {
  ::kill(child, SIGSTOP);
  ::raise(SIGSTOP);
  ::kill(child, SIGCONT);
}

// Waits for the end of the child; returns its status.
int await(pid_t child, const sigset_t& awaited) {
  for (;;) {
    siginfo_t signal{};
    if (sigwaitinfo(&awaited, &signal) < 0) continue;
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) return status;
    if (signal.si_signo == SIGTSTP) {
      stop_both(child);
    } else if (signal.si_signo != SIGCHLD) {
      ::kill(child, signal.si_signo);
    }
  }
}

// What the child has started and left: a driver of the user's may start what it
// likes. Orphans come to us, so that we know them.
void end_orphans() {
  constexpr int kMostRounds = 200;
  constexpr std::chrono::milliseconds kStep{5};
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<int> left = descendants(getpid());
    if (left.empty()) return;
    for (const int process : left) ::kill(process, SIGKILL);
    std::this_thread::sleep_for(kStep);
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }
}

[[noreturn]] void end_like(int status) {
  if (!WIFSIGNALED(status)) _exit(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const rlimit none = {0, 0};  // one core is enough, and the child's tells more
  setrlimit(RLIMIT_CORE, &none);
  std::signal(signal, SIG_DFL);
  sigset_t all;
  sigfillset(&all);
  ::raise(signal);
  sigprocmask(SIG_UNBLOCK, &all, nullptr);
  _exit(static_cast<int>(Exit::error));
}

}  // namespace

Outcome supervise(const std::string& place) {
  sigset_t awaited = ending_signals();
  for (const int signal : {SIGCHLD, SIGTSTP, SIGUSR1, SIGUSR2, SIGALRM}) {
    sigaddset(&awaited, signal);
  }
  sigset_t before;
  sigprocmask(SIG_BLOCK, &awaited, &before);
  // Who was started with SIGCHLD ignored could not wait.
  std::signal(SIGCHLD, SIG_DFL);
  const std::vector<std::string> missing = missing_directories(place);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    const int number = errno;
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return Error{.where = "awdit",
                 .message = std::string("cannot start a process: ") +
                            std::strerror(number)};
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(static_cast<int>(Exit::error));
    setpgid(0, 0);
    // Not in the foreground, but may write to the terminal.
    std::signal(SIGTTOU, SIG_IGN);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return std::nullopt;
  }
  // What others have left, while the child gets going.
  sweep_temporary_directories();
  const int status = await(child, awaited);
  end_orphans();
  sweep_temporary_directories(child);
  remove_empty(missing);
  end_like(status);
}

}  // namespace awdit::cli
