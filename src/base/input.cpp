#include "base/input.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace awdit {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd, bool owned) : fd_(fd), owned_(owned) {}
  ~Descriptor() {
    if (owned_ && fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
  bool owned_;
};

Error system_error(const std::string& name, int error) {
  Error result{.where = name, .message = std::strerror(error)};
  if (error == ENOENT) {
    result.message = "there is no such file";
    result.hint = "Check the path; use - to read standard input.";
  } else if (error == EACCES) {
    result.message = "permission denied";
    result.hint = "Check who may read the file.";
  } else if (error == EISDIR) {
    result.message = "this is a directory, not a history file";
    result.hint = "Name the file inside it.";
  }
  return result;
}

// Reads to the end; grows by doubling, so at most twice the input is held.
bool read_all(int fd, Array<char>& buffer, std::size_t& size, int& error) {
  size = 0;
  buffer = Array<char>(std::size_t{1} << 16);
  for (;;) {
    if (size == buffer.size()) {
      Array<char> larger(buffer.size() * 2);
      std::memcpy(larger.data(), buffer.data(), size);
      buffer = std::move(larger);
    }
    const ssize_t got = ::read(fd, buffer.data() + size, buffer.size() - size);
    if (got == 0) return true;
    if (got < 0) {
      if (errno == EINTR) continue;
      error = errno;
      return false;
    }
    size += static_cast<std::size_t>(got);
  }
}

}  // namespace

Result<Input> Input::open(const std::string& path) {
  const bool is_stdin = path == "-";
  Input input;
  input.name_ = is_stdin ? "<stdin>" : path;
  const Descriptor file(
      is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC),
      !is_stdin);
  if (file.get() < 0) return system_error(input.name_, errno);
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return system_error(input.name_, errno);
  if (S_ISDIR(info.st_mode)) return system_error(input.name_, EISDIR);
  if (S_ISREG(info.st_mode) && info.st_size > 0 && !is_stdin) {
    const std::size_t size = static_cast<std::size_t>(info.st_size);
    void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (memory != MAP_FAILED) {
      madvise(memory, size, MADV_SEQUENTIAL);
      input.data_ = static_cast<const char*>(memory);
      input.size_ = size;
      input.mapped_ = true;
      return input;
    }
  }
  int error = 0;
  if (!read_all(file.get(), input.buffer_, input.size_, error)) {
    return system_error(input.name_, error);
  }
  input.data_ = input.buffer_.data();
  return input;
}

Input Input::of(std::string_view bytes, std::string name) {
  Input input;
  input.data_ = bytes.data();
  input.size_ = bytes.size();
  input.name_ = std::move(name);
  return input;
}

Input::Input(Input&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, false)),
      buffer_(std::move(other.buffer_)),
      name_(std::move(other.name_)) {}

Input::~Input() {
  if (mapped_) munmap(const_cast<char*>(data_), size_);
}

void Input::release(std::size_t from, std::size_t to) const {
  if (!mapped_) return;
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  from = (from + page - 1) / page * page;
  to = to / page * page;
  if (from < to) {
    madvise(const_cast<char*>(data_) + from, to - from, MADV_DONTNEED);
  }
}

}  // namespace awdit
