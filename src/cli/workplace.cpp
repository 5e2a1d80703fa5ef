#include "cli/workplace.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/remove_tree.h"

namespace awdit::cli {
namespace {

namespace fs = std::filesystem;

Error cannot_be_made(const std::string& path, int number) {
  return Error{
      .where = path,
      .message = fmt::format("cannot be created: {}", std::strerror(number)),
      .hint = "Name a place for the history with -o."};
}

Error something_there(const std::string& path) {
  return Error{.where = path,
               .message = "already exists and is not an empty directory",
               .hint =
                   "Choose another place with -o, or remove it. What a killed "
                   "recording left behind can still be checked."};
}

// Whether the name still means what the descriptor does.
bool is_still_there(const std::string& path, int fd) {
  struct stat named {};
  struct stat open {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(fd, &open) == 0 &&
         named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

}  // namespace

void Workplace::remove() { static_cast<void>(remove_tree(AT_FDCWD, path_)); }

// Makes the directory if it is missing and locks it. Its last owner may remove
// it between the two: then once more.
Outcome Workplace::own() {
  for (;;) {
    std::error_code failed;
    fs::create_directories(path_, failed);
    if (failed && !fs::exists(path_)) {
      return cannot_be_made(path_, failed.value());
    }
    Descriptor opened(
        ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened.good() && errno == ENOENT) continue;
    if (!opened.good() && errno == ENOTDIR) return something_there(path_);
    if (!opened.good()) return cannot_be_made(path_, errno);
    const bool locked = ::flock(opened.number(), LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno == EWOULDBLOCK) {
      return Error{
          .where = path_,
          .message = "another run is recording here",
          .hint = "Choose another place with -o, or wait for it to end."};
    }
    if (!is_still_there(path_, opened.number())) continue;
    directory_ = std::move(opened);
    break;
  }
  std::error_code failed;
  if (!fs::is_empty(path_, failed) || failed) return something_there(path_);
  return std::nullopt;
}

Result<Workplace> Workplace::create(const std::string& path) {
  Workplace place;
  if (path.empty()) {
    Result<TemporaryDirectory> made = TemporaryDirectory::make();
    if (!made) return std::move(made.error());
    place.path_ = made->path();
    place.temporary_.emplace(std::move(*made));
    return place;
  }
  place.path_ = path;
  while (place.path_.size() > 1 && place.path_.back() == '/') {
    place.path_.pop_back();
  }
  if (Outcome failed = place.own()) return std::move(*failed);
  return place;
}

}  // namespace awdit::cli
