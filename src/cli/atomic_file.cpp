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

namespace awdit::cli {
namespace {

// The temporary that a signal must remove; empty: none.
char doomed[PATH_MAX];

void remove_doomed() {
  if (doomed[0] != '\0') unlink(doomed);
}

void remove_and_die(int signal) {
  remove_doomed();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void guard(const std::string& temporary) {
  if (temporary.size() + 1 > sizeof doomed) return;
  std::memcpy(doomed, temporary.c_str(), temporary.size() + 1);
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

bool same_file(const struct stat& a, const std::string& path) {
  struct stat b {};
  return !path.empty() && stat(path.c_str(), &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

}  // namespace

Error AtomicFile::error(int number) const {
  return {.where = path_,
          .message = std::string("the certificate cannot be written: ") +
                     std::strerror(number),
          .excerpt = "",
          .hint = "Name a file in a directory that you may write to."};
}

Result<AtomicFile> AtomicFile::create(const std::string& path,
                                      const std::string& never) {
  AtomicFile file;
  file.path_ = path;
  file.target_ = resolved(path);
  struct stat info {};
  const bool exists = stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return file.error(EISDIR);
  if (exists && same_file(info, never)) {
    return Error{.where = path,
                 .message = "the certificate would overwrite the history",
                 .excerpt = "",
                 .hint = "Choose another name."};
  }
  if (exists && !S_ISREG(info.st_mode)) {
    file.fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file.fd_ < 0) return file.error(errno);
    return file;
  }
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
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) close(fd_);
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  doomed[0] = '\0';
}

Outcome AtomicFile::commit(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return error(errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (temporary_.empty()) return std::nullopt;
  if (fsync(fd_) != 0) return error(errno);
  if (close(std::exchange(fd_, -1)) != 0) return error(errno);
  if (rename(temporary_.c_str(), target_.c_str()) != 0) return error(errno);
  doomed[0] = '\0';
  temporary_.clear();
  return std::nullopt;
}

}  // namespace awdit::cli
