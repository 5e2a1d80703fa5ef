// What killed processes have left: their temporary directories, what still runs
// in them, and the shared memory that their servers had. See
// base/temporary_directory.h for when a directory is ours to remove.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "base/process_facts.h"
#include "base/remove_tree.h"
#include "base/temporary_directory.h"

namespace awdit {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kStep{2};

// -- whose it is --------------------------------------------------------------

struct Maker {
  int process = 0;
  std::uint64_t start = 0;
};

// Takes a number and the dash behind it off the front.
template <typename Number>
bool take(std::string_view& text, Number& number) {
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || length == text.size() || *end != '-') {
    return false;
  }
  text.remove_prefix(length + 1);
  return true;
}

// From "awdit-PID-START-XXXXXX".
std::optional<Maker> maker_in(std::string_view name) {
  constexpr std::string_view kPrefix = "awdit-";
  constexpr std::size_t kSuffix = 6;
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  Maker maker;
  if (!take(name, maker.process) || !take(name, maker.start) ||
      maker.process <= 0 || name.size() != kSuffix) {
    return std::nullopt;
  }
  return maker;
}

bool is_alive(const Maker& maker) {
  const auto facts = process_facts(maker.process);
  return facts && facts->alive() && facts->start == maker.start;
}

// A directory that is open; the lock, once it is ours, goes with it.
class Leftover {
 public:
  Leftover(int parent, std::string name)
      : parent_(parent),
        name_(std::move(name)),
        directory_(openat(parent, name_.c_str(),
                          O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)),
        fd_(directory_.number()) {}

  bool is_ours() const {
    struct stat about {};
    return fd_ >= 0 && fstat(fd_, &about) == 0 && about.st_uid == geteuid() &&
           (about.st_mode & 0027) == 0;
  }

  // A child of the dead that has not become its program yet may hold the lock
  // for a moment.
  bool lock(milliseconds patience) const {
    for (;;) {
      if (flock(fd_, LOCK_EX | LOCK_NB) == 0) return true;
      if (errno != EWOULDBLOCK || patience.count() <= 0) return false;
      std::this_thread::sleep_for(kStep);
      patience -= kStep;
    }
  }

  // As whom its servers run: the account that it was made for, or we.
  unsigned user() const {
    struct stat about {};
    const bool lent = fstatat(fd_, "d", &about, AT_SYMLINK_NOFOLLOW) == 0 &&
                      S_ISDIR(about.st_mode);
    return lent ? about.st_uid : geteuid();
  }

  std::vector<int> roll() const {
    std::vector<int> processes;
    const Descriptor file(openat(
        fd_, kProcessRoll, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.good()) return processes;
    std::string text(1 << 16, '\0');
    const ssize_t got = read(file.number(), text.data(), text.size());
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    std::istringstream lines(text);
    for (int process = 0; lines >> process;) processes.push_back(process);
    return processes;
  }

  bool remove() const {
    // An account that had a part of it makes nothing more in there.
    static_cast<void>(fchmod(fd_, 0700));
    return remove_tree(parent_, name_);
  }

 private:
  const int parent_;
  const std::string name_;
  const Descriptor directory_;
  const int fd_;  // its number
};

// -- what runs in it ----------------------------------------------------------

// Whether a process works in the directory, as that user, without a terminal:
// servers are like that, and people who look around are not.
bool works_in(int process, const std::string& directory, unsigned user) {
  const std::string proc = "/proc/" + std::to_string(process);
  char place[PATH_MAX];
  const ssize_t size = readlink((proc + "/cwd").c_str(), place, sizeof place);
  if (size <= 0) return false;
  const std::string_view where(place, static_cast<std::size_t>(size));
  if (where != directory && !where.starts_with(directory + "/")) return false;
  struct stat about {};
  if (stat(proc.c_str(), &about) != 0 || about.st_uid != user) return false;
  const auto facts = process_facts(process);
  return facts && facts->alive() && facts->terminal == 0;
}

// Kills them all and returns who they were. Several rounds: one may have forked
// another meanwhile.
std::vector<int> end_processes(const std::string& directory, unsigned user) {
  constexpr milliseconds kPatience{10000};
  std::vector<int> ended;
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    bool found = false;
    for (const int process : all_processes()) {
      if (process == getpid() || !works_in(process, directory, user)) continue;
      found = true;
      ended.push_back(process);
      kill(process, SIGKILL);
    }
    if (!found || std::chrono::steady_clock::now() > deadline) return ended;
    std::this_thread::sleep_for(kStep);
  }
}

// Segments that nobody uses and that one of these processes made, as that user:
// PostgreSQL has one per server, and a kill leaves it.
void remove_shared_memory(const std::vector<int>& makers, unsigned user) {
  if (makers.empty()) return;
  std::ifstream table("/proc/sysvipc/shm");
  std::string line;
  std::getline(table, line);  // titles
  while (std::getline(table, line)) {
    std::istringstream columns(line);
    long long key = 0;
    int segment = -1;
    std::string mode;
    unsigned long long size = 0;
    int maker = 0;
    int last = 0;
    unsigned long long attached = 1;
    unsigned owner = 0;
    columns >> key >> segment >> mode >> size >> maker >> last >> attached >>
        owner;
    if (!columns || attached != 0 || owner != user ||
        std::find(makers.begin(), makers.end(), maker) == makers.end()) {
      continue;
    }
    shmctl(segment, IPC_RMID, nullptr);
  }
}

}  // namespace

std::size_t sweep_temporary_directories(int former) {
  std::error_code trouble;
  const auto parent = std::filesystem::temp_directory_path(trouble);
  return trouble ? 0 : sweep_temporary_directories_in(parent.string(), former);
}

std::size_t sweep_temporary_directories_in(const std::string& directory,
                                           int former) {
  std::error_code trouble;
  const auto place = std::filesystem::canonical(directory, trouble);
  if (trouble) return 0;
  const int parent = open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent < 0) return 0;
  std::vector<std::string> names;
  std::filesystem::directory_iterator entry(place, trouble);
  for (; !trouble && entry != std::filesystem::directory_iterator();
       entry.increment(trouble)) {
    names.push_back(entry->path().filename().string());
  }
  std::size_t swept = 0;
  for (const std::string& name : names) {
    const auto maker = maker_in(name);
    if (!maker || is_alive(*maker)) continue;
    const Leftover leftover(parent, name);
    const bool expected = maker->process == former;
    if (!leftover.is_ours() ||
        !leftover.lock(milliseconds(expected ? 5000 : 0))) {
      continue;
    }
    const unsigned user = leftover.user();
    std::vector<int> processes = leftover.roll();
    const std::vector<int> ended = end_processes((place / name).string(), user);
    processes.insert(processes.end(), ended.begin(), ended.end());
    remove_shared_memory(processes, user);
    if (leftover.remove()) ++swept;
  }
  close(parent);
  return swept;
}

}  // namespace awdit
