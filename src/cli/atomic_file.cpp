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

#include "base/unique_name.h"
#include "cli/doomed.h"
#include "cli/overwrite.h"
#include "cli/progress.h"
#include "cli/signals.h"

namespace awdit::cli {
namespace {

std::string resolved(const std::string& path) {
  char buffer[PATH_MAX];
  return realpath(path.c_str(), buffer) != nullptr ? buffer : path;
}

// New files have the mode that any new file gets: the kernel knows the umask,
// and nobody can ask for it without setting it for all threads.

// A file without a name that can get one beside the target; -1: none here.
int open_nameless(const std::string& target) {
  // What gives it its name.
  if (access("/proc/self/fd", X_OK) != 0) return -1;
  const std::size_t slash = target.rfind('/');
  const std::string directory = slash == std::string::npos ? "."
                                : slash == 0               ? "/"
                                             : target.substr(0, slash);
  return ::open(directory.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
}

// A new file beside the target; -1: errno says why.
int open_beside(const std::string& target, std::string& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = target + "." + unique_suffix();
    const int fd = ::open(
        name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

bool give_name(int fd, const std::string& name) {
  const std::string nameless = "/proc/self/fd/" + std::to_string(fd);
  return linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, name.c_str(),
                AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

Error AtomicFile::error(int number) const {
  return {.where = path_,
          .message = what_ + " cannot be written: " + std::strerror(number),
          .hint = number == ENOSPC
                      ? "Make room, or name a file on another disk."
                  : number == EFBIG
                      ? "Files may not grow that large here: see ulimit -f."
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
  file.fd_ = open_nameless(file.target_);
  file.nameless_ = file.fd_ >= 0;
  if (!file.nameless_) {
    std::string name;
    file.fd_ = open_beside(file.target_, name);
    if (file.fd_ < 0) return file.error(errno);
    file.temporary_ = std::move(name);
    doom(file.temporary_);
  }
  if (exists && fchmod(file.fd_, info.st_mode & 07777) != 0) {
    return file.error(errno);
  }
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      what_(std::move(other.what_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      nameless_(other.nameless_),
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
      current_work().add_done(static_cast<std::uint64_t>(written));
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      failure_ = errno;
    }
  }
  return failure_ == 0;
}

Outcome AtomicFile::commit() {
  if (failure_ != 0) return error(failure_);
  if (temporary_.empty() && !nameless_) return std::nullopt;
  if (fsync(fd_) != 0) return error(errno);
  if (const int number = put_in_place()) return error(number);
  if (close(std::exchange(fd_, -1)) != 0) return error(errno);
  return std::nullopt;
}

// Returns 0 or the error number.
int AtomicFile::put_in_place() {
  const SignalsHeld held;
  if (nameless_) {
    if (give_name(fd_, target_)) return 0;
    if (errno != EEXIST) return errno;
    // A link replaces nothing, a rename does: by way of another name.
    for (int attempt = 0; attempt < 100 && temporary_.empty(); ++attempt) {
      std::string name = target_ + "." + unique_suffix();
      if (give_name(fd_, name)) {
        temporary_ = std::move(name);
        doom(temporary_);
      } else if (errno != EEXIST) {
        return errno;
      }
    }
  }
  if (rename(temporary_.c_str(), target_.c_str()) != 0) return errno;
  spare(temporary_);
  temporary_.clear();
  return 0;
}

}  // namespace awdit::cli
