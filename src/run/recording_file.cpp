#include "run/recording_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace awdit {
namespace {

// A multiple of every page size.
constexpr std::size_t kWindow = std::size_t{1} << 20;

// Renames, but never over a file that exists; errno is EEXIST then. Not every
// file system can do that in one step; a second name for the file is as good,
// and where there are no such names either, an empty file keeps the place.
bool give_name(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                  RENAME_NOREPLACE) == 0) {
    return true;
  }
  if (errno != ENOSYS && errno != EINVAL) return false;
  if (::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return true;
  }
  if (errno == EEXIST) return false;
  const int place =
      ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (place < 0) return false;
  ::close(place);
  return std::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

Result<std::unique_ptr<RecordingFile>> RecordingFile::create(
    const std::string& path, std::string_view head) {
  std::unique_ptr<RecordingFile> file(new RecordingFile(path));
  const std::string hidden = path + ".new";
  file->fd_ =
      ::open(hidden.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int number = 0;
  if (file->fd_ < 0) {
    number = errno;
  } else if (file->append(head) && !give_name(hidden, path)) {
    number = errno;
  }
  if (number != 0) file->fail(number);
  if (!file->failure_) return file;
  if (file->fd_ >= 0) ::unlink(hidden.c_str());
  if (number != EEXIST) return std::move(*file->failure_);
  return Error{.where = path,
               .message = "already exists: another run is recording here",
               .hint = "Name another place with -o, or wait for it to end."};
}

RecordingFile::~RecordingFile() {
  if (fd_ >= 0) static_cast<void>(close());
}

bool RecordingFile::fail(int number) {
  failure_ =
      Error{.where = path_,
            .message = std::string("cannot record: ") + std::strerror(number),
            .hint = "What was recorded so far can be checked."};
  return false;
}

bool RecordingFile::next_window() {
  if (bytes_ != nullptr) {
    ::munmap(bytes_, kWindow);
    bytes_ = nullptr;
    window_ += kWindow;
  }
  return map_window();
}

bool RecordingFile::map_window() {
  const int no_room = ::posix_fallocate(fd_, static_cast<off_t>(window_),
                                        static_cast<off_t>(kWindow));
  if (no_room != 0) return fail(no_room);
  void* const mapped = ::mmap(nullptr, kWindow, PROT_READ | PROT_WRITE,
                              MAP_SHARED, fd_, static_cast<off_t>(window_));
  if (mapped == MAP_FAILED) return fail(errno);
  bytes_ = static_cast<char*>(mapped);
  return true;
}

bool RecordingFile::append(std::string_view bytes) {
  if (failure_) return false;
  while (!bytes.empty()) {
    if (bytes_ == nullptr || size_ == window_ + kWindow) {
      if (!next_window()) return false;
    }
    const std::size_t room = window_ + kWindow - size_;
    const std::size_t count = std::min(room, bytes.size());
    std::memcpy(bytes_ + (size_ - window_), bytes.data(), count);
    size_ += count;
    bytes.remove_prefix(count);
  }
  return true;
}

bool RecordingFile::cut(std::size_t size) {
  if (failure_) return false;
  if (size < window_) {
    // What was reserved since then goes as well; here it is reserved again.
    ::munmap(bytes_, kWindow);
    bytes_ = nullptr;
    window_ = size / kWindow * kWindow;
    if (::ftruncate(fd_, static_cast<off_t>(window_ + kWindow)) != 0) {
      return fail(errno);
    }
    if (!map_window()) return false;
    size_ = window_ + kWindow;
  }
  std::memset(bytes_ + (size - window_), 0, size_ - size);
  size_ = size;
  return true;
}

Outcome RecordingFile::close() {
  if (bytes_ != nullptr) ::munmap(bytes_, kWindow);
  bytes_ = nullptr;
  if (::ftruncate(fd_, static_cast<off_t>(size_)) != 0 && !failure_) {
    fail(errno);
  }
  if (::close(fd_) != 0 && !failure_) fail(errno);
  fd_ = -1;
  return failure_;
}

}  // namespace awdit
