#include "base/temporary_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/process_facts.h"
#include "base/remove_tree.h"
#include "base/unique_name.h"

namespace awdit {
namespace {

Error trouble_at(const std::string& path, const char* what, int number) {
  return {.where = path,
          .message = std::string(what) + ": " +
                     std::generic_category().message(number)};
}

// Nobody else makes anything in there any more, so that it can be emptied.
void shut_out(int top) {
  if (top < 0) return;
  static_cast<void>(fchmod(top, 0700));
  [[maybe_unused]] const int ignored =
      fchownat(top, "d", geteuid(), getegid(), AT_SYMLINK_NOFOLLOW);
}

}  // namespace

Result<TemporaryDirectory> TemporaryDirectory::make(
    const std::optional<Account>& owner) {
  std::error_code trouble;
  const std::filesystem::path parent =
      std::filesystem::temp_directory_path(trouble);
  if (trouble) {
    return Error{
        .message = "no directory for temporary files: " + trouble.message(),
        .hint = "Set TMPDIR to a directory that exists."};
  }
  Result<TemporaryDirectory> made = make_in(parent.string(), owner);
  if (!made && made.error().hint.empty()) {
    made.error().hint = "Set TMPDIR to a directory that can be written.";
  }
  return made;
}

Result<TemporaryDirectory> TemporaryDirectory::make_in(
    const std::string& parent, const std::optional<Account>& owner) {
  const auto self = process_facts(getpid());
  const std::string prefix = "awdit-" + std::to_string(getpid()) + "-" +
                             std::to_string(self ? self->start : 0) + "-";
  TemporaryDirectory directory;
  directory.owner_ = owner;
  int number = EEXIST;
  for (int attempt = 0; attempt < 100 && number == EEXIST; ++attempt) {
    const std::string path =
        (std::filesystem::path(parent) / (prefix + unique_suffix())).string();
    number = mkdir(path.c_str(), 0700) == 0 ? 0 : errno;
    if (number == 0) directory.top_ = path;
  }
  if (number != 0) {
    return trouble_at(parent, "cannot make a temporary directory", number);
  }
  directory.path_ = directory.top_;
  directory.lock_ = open(directory.top_.c_str(),
                         O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (directory.lock_ < 0) {
    return trouble_at(directory.top_, "cannot be opened", errno);
  }
  // Where there are no locks it cannot be swept, and need not be locked.
  static_cast<void>(flock(directory.lock_, LOCK_SH | LOCK_NB));
  if (owner) {
    if (Outcome failed = directory.hand_over()) return *failed;
  }
  return directory;
}

// The owner's directory, inside ours.
Outcome TemporaryDirectory::hand_over() {
  path_ = top_ + "/d";
  // In this order: nobody can get in before it is finished.
  if (mkdirat(lock_, "d", 0700) != 0 ||
      fchownat(lock_, "d", owner_->user, owner_->group, AT_SYMLINK_NOFOLLOW) !=
          0 ||
      fchown(lock_, static_cast<uid_t>(-1), owner_->group) != 0 ||
      fchmod(lock_, 0710) != 0) {
    const int number = errno;
    return trouble_at(top_, ("cannot give it to " + owner_->name).c_str(),
                      number);
  }
  return std::nullopt;
}

Outcome TemporaryDirectory::write_guarded(const std::string& name,
                                          const std::string& text,
                                          bool executable) const {
  const int file =
      openat(lock_, name.c_str(),
             O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return trouble_at(guarded(name), "cannot be made", errno);
  int number = 0;
  for (std::size_t done = 0; done < text.size() && number == 0;) {
    const ssize_t got = write(file, text.data() + done, text.size() - done);
    if (got >= 0) {
      done += static_cast<std::size_t>(got);
    } else if (errno != EINTR) {
      number = errno;
    }
  }
  const mode_t mode = executable ? 0750 : 0640;
  if (number == 0 && owner_ &&
      fchown(file, static_cast<uid_t>(-1), owner_->group) != 0) {
    number = errno;
  }
  if (number == 0 && fchmod(file, mode) != 0) number = errno;
  if (close(file) != 0 && number == 0) number = errno;
  if (number == 0) return std::nullopt;
  return trouble_at(guarded(name), "cannot be written", number);
}

Outcome TemporaryDirectory::make_guarded(const std::string& name) const {
  if (mkdirat(lock_, name.c_str(), 0700) == 0 &&
      (!owner_ || (fchownat(lock_, name.c_str(), static_cast<uid_t>(-1),
                            owner_->group, AT_SYMLINK_NOFOLLOW) == 0 &&
                   fchmodat(lock_, name.c_str(), 0750, 0) == 0))) {
    return std::nullopt;
  }
  return trouble_at(guarded(name), "cannot be made", errno);
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : top_(std::exchange(other.top_, {})),
      path_(std::move(other.path_)),
      owner_(std::move(other.owner_)),
      lock_(std::exchange(other.lock_, -1)) {}

TemporaryDirectory& TemporaryDirectory::operator=(
    TemporaryDirectory&& other) noexcept {
  std::swap(top_, other.top_);
  std::swap(path_, other.path_);
  std::swap(owner_, other.owner_);
  std::swap(lock_, other.lock_);
  return *this;
}

TemporaryDirectory::~TemporaryDirectory() {
  // What cannot be removed now can be swept later: there is nobody to tell.
  if (!top_.empty()) {
    if (owner_) shut_out(lock_);
    static_cast<void>(remove_tree(AT_FDCWD, top_));
  }
  if (lock_ >= 0) close(lock_);
}

}  // namespace awdit
