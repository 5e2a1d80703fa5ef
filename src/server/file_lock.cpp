#include "server/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace awdit {
namespace {

// The process that has the lock, by /proc/locks:
//   1: FLOCK  ADVISORY  WRITE 4711 08:01:131090 0 EOF
// 0 if it is not there: another machine's, or a name space of its own.
long owner_of_lock(int fd) {
  struct stat file {};
  if (::fstat(fd, &file) != 0) return 0;
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advice, access, process, place;
    words >> number >> kind >> advice >> access >> process >> place;
    // File systems do not agree on how their devices are numbered.
    const std::string inode = fmt::format(":{}", file.st_ino);
    if (kind == "FLOCK" && place.ends_with(inode)) {
      return std::strtol(process.c_str(), nullptr, 10);
    }
  }
  return 0;
}

}  // namespace

Result<FileLock> FileLock::take(const std::string& path) {
  int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  const bool created = fd >= 0;
  if (fd < 0 && errno == EEXIST) {
    fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  }
  if (fd < 0) {
    return Error{
        .where = path,
        .message = fmt::format("cannot be opened: {}", std::strerror(errno))};
  }
  FileLock lock(Descriptor(fd), created);
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return lock;
  // File systems without such locks: SQLite's own must do.
  if (errno != EWOULDBLOCK) return lock;
  const long owner = owner_of_lock(fd);
  return Error{.where = path,
               .message = "another run of awdit uses this file" +
                          (owner > 0 ? fmt::format(": process {}", owner) : ""),
               .hint = "Wait for it to end, or name another file."};
}

}  // namespace awdit
