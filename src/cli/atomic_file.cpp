#include "cli/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/gauge.h"
#include "cli/overwrite.h"
#include "cli/signals.h"

namespace awdit::cli {
namespace {

// The temporaries that a signal must remove; empty: none.
constexpr int kMostTemporaries = 16;
char doomed[kMostTemporaries][PATH_MAX];

void remove_doomed() {
  for (const char* path : doomed) {
    if (path[0] != '\0') unlink(path);
  }
}

void spare(const std::string& temporary) {
  for (char* path : doomed) {
    if (temporary == path) path[0] = '\0';
  }
}

void remove_and_die(int signal) {
  remove_doomed();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void guard(const std::string& temporary) {
  if (temporary.size() + 1 > sizeof doomed[0]) return;
  for (char* path : doomed) {
    if (path[0] != '\0') continue;
    std::memcpy(path, temporary.c_str(), temporary.size() + 1);
    break;
  }
  std::at_quick_exit(remove_doomed);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Who was started with a signal ignored (nohup) keeps it so.
    struct sigaction old {};
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler != SIG_IGN) {
      std::signal(signal, remove_and_die);
    }
  }
}

std::string resolved(const std::string& path) {
  char buffer[PATH_MAX];
  return realpath(path.c_str(), buffer) != nullptr ? buffer : path;
}

// What open(..., 0666) would have given; umask can only be read by setting it.
mode_t default_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

Error AtomicFile::error(int number) const {
  return {.where = path_,
          .message = what_ + " cannot be written: " + std::strerror(number),
          .excerpt = "",
          .hint = number == ENOSPC
                      ? "Make room, or name a file on another disk."
                      : "Name a file in a directory that you may write to."};
}

Result<AtomicFile> AtomicFile::create(const std::string& path, std::string what,
                                      std::span<const std::string> never) {
  AtomicFile file;
  file.path_ = path;
  file.what_ = std::move(what);
  file.target_ = resolved(path);
  struct stat info {};
  const bool exists = stat(path.c_str(), &info) == 0;
  if (Outcome refused = refuse_to_replace(path, file.what_, never)) {
    return std::move(*refused);
  }
  if (exists && !S_ISREG(info.st_mode)) {
    file.fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file.fd_ < 0) return file.error(errno);
    return file;
  }
  const SignalsHeld held;
  std::string pattern = file.target_ + ".XXXXXX";
  file.fd_ = mkostemp(pattern.data(), O_CLOEXEC);
  if (file.fd_ < 0) return file.error(errno);
  file.temporary_ = std::move(pattern);
  guard(file.temporary_);
  const mode_t mode = exists ? info.st_mode & 07777 : default_mode();
  if (fchmod(file.fd_, mode) != 0) return file.error(errno);
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      what_(std::move(other.what_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)),
      failure_(other.failure_) {}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) close(fd_);
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  spare(temporary_);
}

bool AtomicFile::write(std::string_view bytes) {
  while (failure_ == 0 && !bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written >= 0) {
      gauge().done.fetch_add(static_cast<std::uint64_t>(written),
                             std::memory_order_relaxed);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      failure_ = errno;
    }
  }
  return failure_ == 0;
}

Outcome AtomicFile::commit() {
  if (failure_ != 0) return error(failure_);
  if (temporary_.empty()) return std::nullopt;
  if (fsync(fd_) != 0) return error(errno);
  if (close(std::exchange(fd_, -1)) != 0) return error(errno);
  if (rename(temporary_.c_str(), target_.c_str()) != 0) return error(errno);
  spare(temporary_);
  temporary_.clear();
  return std::nullopt;
}

}  // namespace awdit::cli
