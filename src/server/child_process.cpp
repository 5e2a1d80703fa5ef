#include "server/child_process.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>
#include <system_error>
#include <thread>

#include "base/descendants.h"

extern char** environ;

namespace awdit {
namespace {

// What a child needs between fork and exec, where nothing may be allocated.
struct Prepared {
  std::vector<std::string> texts;
  std::vector<char*> words;        // ends with a null pointer
  std::vector<char*> environment;  // likewise
};

using Environment = std::vector<std::pair<std::string, std::string>>;

Environment our_environment() {
  Environment all;
  for (char** variable = environ; variable != nullptr && *variable != nullptr;
       ++variable) {
    const std::string text = *variable;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) continue;
    all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

Environment bare_environment(const Launch& launch) {
  return {
      {"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
      {"HOME", launch.directory.empty() ? "/" : launch.directory},
      {"TMPDIR", launch.directory.empty() ? "/tmp" : launch.directory},
      {"LANG", "C"},
      {"LC_ALL", "C"},
      {"TZ", "UTC"}};
}

Prepared prepare(const Launch& launch) {
  Environment environment =
      launch.our_environment ? our_environment() : bare_environment(launch);
  for (const auto& [name, value] : launch.environment) {
    std::erase_if(environment, [&, &wanted = name](const auto& other) {
      return other.first == wanted;
    });
    environment.emplace_back(name, value);
  }
  Prepared prepared;
  std::vector<std::string>& texts = prepared.texts;
  texts = launch.words;
  for (const auto& [name, value] : environment) {
    texts.push_back(name + "=" + value);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    (i < launch.words.size() ? prepared.words : prepared.environment)
        .push_back(texts[i].data());
  }
  prepared.words.push_back(nullptr);
  prepared.environment.push_back(nullptr);
  return prepared;
}

// A file of ours that is appended to.
int open_appending(const std::string& path) {
  return open(path.c_str(),
              O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC,
              0600);
}

// In the child: adds its number to the roll.
bool sign(int roll) {
  char text[24];
  std::size_t at = sizeof text;
  text[--at] = '\n';
  for (auto rest = static_cast<unsigned>(getpid()); rest != 0; rest /= 10) {
    text[--at] = static_cast<char>('0' + rest % 10);
  }
  return write(roll, text + at, sizeof text - at) > 0;
}

// In the child: becomes the program. Returns only if that fails; errno says
// why. Async-signal-safe, as we may have had many threads.
void become(const Launch& launch, const Prepared& prepared, int log, int roll,
            pid_t parent) {
  // What we ignore, or were told to, is not for it.
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setsid();
  if (roll >= 0 && !sign(roll)) return;
  const int input =
      launch.input >= 0 ? launch.input : open("/dev/null", O_RDONLY);
  const int output = launch.output >= 0 ? launch.output : log;
  if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 ||
      dup2(log, 2) < 0) {
    return;
  }
  // Not closed at once: one of them reports to the parent.
  if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0) {
    for (int file = 3; file < 1024; ++file) fcntl(file, F_SETFD, FD_CLOEXEC);
  }
  if (launch.account &&
      (setgroups(0, nullptr) != 0 || setgid(launch.account->group) != 0 ||
       setuid(launch.account->user) != 0)) {
    return;
  }
  if (!launch.directory.empty() && chdir(launch.directory.c_str()) != 0) {
    return;
  }
  // After setuid, which forgets it.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return;
  if (getppid() != parent) {  // it died before that
    errno = ESRCH;
    return;
  }
  execve(prepared.words[0], prepared.words.data(), prepared.environment.data());
}

std::string text_of(int status) {
  return WIFSIGNALED(status)
             ? "signal " + std::to_string(WTERMSIG(status))
             : "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

struct ChildProcess::State {
  std::string log;
  std::thread keeper;

  mutable std::mutex mutex;
  mutable std::condition_variable changed;
  bool launched = false;  // successfully or not
  int failure = 0;        // errno of a launch that failed
  pid_t process = 0;
  bool ended = false;  // and was reaped: its number is not ours any more
  int status = 0;

  ~State() {
    if (keeper.joinable()) keeper.join();
  }
  void keep(const Launch& launch);
  void launch_failed(int reason);
};

void ChildProcess::State::launch_failed(int reason) {
  const std::lock_guard lock(mutex);
  failure = reason;
  ended = true;
  launched = true;
  changed.notify_all();
}

// What the child's own thread does.
void ChildProcess::State::keep(const Launch& launch) {
  const Prepared prepared = prepare(launch);
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return launch_failed(errno);
  const int output = open_appending(launch.log);
  const int roll = launch.roll.empty() ? -1 : open_appending(launch.roll);
  const bool ready = output >= 0 && (roll >= 0 || launch.roll.empty());
  const pid_t parent = getpid();
  const pid_t child = ready ? fork() : -1;
  if (child == 0) {
    // Out of the way of the numbers that the child's files will get.
    const int log_file = fcntl(output, F_DUPFD_CLOEXEC, 10);
    const int report_end = fcntl(report[1], F_DUPFD_CLOEXEC, 10);
    become(launch, prepared, log_file, roll, parent);
    const int reason = errno;
    [[maybe_unused]] const ssize_t told =
        ::write(report_end, &reason, sizeof(reason));
    _exit(127);
  }
  int reason = errno;
  close(report[1]);
  if (output >= 0) close(output);
  if (roll >= 0) close(roll);
  if (child < 0) {
    close(report[0]);
    return launch_failed(reason);
  }
  ssize_t got;
  do {
    got = ::read(report[0], &reason, sizeof(reason));
  } while (got < 0 && errno == EINTR);
  close(report[0]);
  if (got > 0) {
    waitpid(child, nullptr, 0);
    return launch_failed(reason);
  }
  {
    const std::lock_guard lock(mutex);
    process = child;
    launched = true;
    changed.notify_all();
  }
  // Two steps: once the number is free for others nobody may signal it.
  siginfo_t info;
  while (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) !=
             0 &&
         errno == EINTR) {
  }
  const std::lock_guard lock(mutex);
  waitpid(child, &status, 0);
  ended = true;
  changed.notify_all();
}

ChildProcess::ChildProcess(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    if (state_) kill_all();
    state_ = std::move(other.state_);
  }
  return *this;
}
ChildProcess::~ChildProcess() {
  if (state_) kill_all();
}

Result<ChildProcess> ChildProcess::start(const Launch& launch) {
  auto state = std::make_unique<State>();
  state->log = launch.log;
  // Handlers of signals run in threads that others know, not in the keeper.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    state->keeper =
        std::thread([&keeper = *state, launch] { keeper.keep(launch); });
  } catch (const std::system_error& trouble) {
    state->launch_failed(trouble.code().value());
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  std::unique_lock lock(state->mutex);
  state->changed.wait(lock, [&] { return state->launched; });
  if (state->failure != 0) {
    const int reason = state->failure;
    lock.unlock();
    return Error{.where = launch.words.front(),
                 .message = "cannot be started: " +
                            std::generic_category().message(reason)};
  }
  lock.unlock();
  return ChildProcess(std::move(state));
}

int ChildProcess::id() const { return state_->process; }
const std::string& ChildProcess::log() const { return state_->log; }

bool ChildProcess::running() const {
  const std::lock_guard lock(state_->mutex);
  return !state_->ended;
}

std::optional<std::string> ChildProcess::wait(
    std::chrono::milliseconds patience) const {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait_for(lock, patience, [&] { return state_->ended; });
  if (!state_->ended) return std::nullopt;
  return text_of(state_->status);
}

void ChildProcess::signal(int number) const {
  const std::lock_guard lock(state_->mutex);
  if (!state_->ended) ::kill(state_->process, number);
}

void ChildProcess::signal_all(int number) const {
  const std::lock_guard lock(state_->mutex);
  if (state_->ended) return;
  // Nobody is forked while we look; and orphans could not be found.
  ::kill(state_->process, SIGSTOP);
  const std::vector<int> others = descendants(state_->process);
  for (const int process : others) ::kill(process, number);
  if (number == SIGSTOP) {
    constexpr std::chrono::milliseconds kStep{1};
    constexpr int kMostSteps = 2000;
    for (int step = 0; step < kMostSteps; ++step) {
      if (has_stopped(state_->process) &&
          std::ranges::all_of(others, has_stopped)) {
        break;
      }
      std::this_thread::sleep_for(kStep);
    }
  }
  if (number != SIGSTOP) ::kill(state_->process, number);
  if (number != SIGSTOP && number != SIGKILL) {
    ::kill(state_->process, SIGCONT);
  }
}

void ChildProcess::kill_all() const {
  signal_all(SIGKILL);
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [&] { return state_->ended; });
}

void ChildProcess::stop(int number, std::chrono::milliseconds patience) const {
  signal_all(SIGCONT);
  signal(number);
  if (!wait(patience)) kill_all();
}

// -- things to do with one ----------------------------------------------------

std::optional<std::string> find_program(
    std::string_view name, const std::vector<std::string>& directories) {
  std::string all;
  if (const char* path = std::getenv("PATH")) all = path;
  for (const std::string& directory : directories) all += ":" + directory;
  std::istringstream parts(all);
  for (std::string directory; std::getline(parts, directory, ':');) {
    if (directory.empty()) continue;
    std::string path = directory + "/" + std::string(name);
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

std::string last_lines(const std::string& path) {
  constexpr std::size_t kMost = 2000;  // bytes: a screenful
  std::ifstream file(path, std::ios::binary);
  std::ostringstream read;
  read << file.rdbuf();
  std::string text = read.str();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (text.size() > kMost) {
    text.erase(0, text.size() - kMost);
    text.erase(0, text.find('\n') + 1);
  }
  return text;
}

Outcome run_program(const Launch& launch, std::chrono::seconds patience) {
  const Result<ChildProcess> child = ChildProcess::start(launch);
  if (!child) return child.error();
  const std::optional<std::string> end = child->wait(patience);
  if (end == "exit code 0") return std::nullopt;
  return Error{.where = launch.words.front(),
               .message = end ? "failed: " + *end : "took too long",
               .excerpt = last_lines(launch.log)};
}

Outcome wait_until_ready(const ChildProcess& child,
                         const std::function<bool()>& ready,
                         std::chrono::seconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!ready()) {
    // The wait between two questions ends at once when the child does.
    const auto end = child.wait(std::chrono::milliseconds(20));
    const bool late = std::chrono::steady_clock::now() > deadline;
    if (!end && !late) continue;
    return Error{
        .message = end ? "the server ended while it was starting: " + *end
                       : "the server does not get ready",
        .excerpt = last_lines(child.log())};
  }
  return std::nullopt;
}

}  // namespace awdit
