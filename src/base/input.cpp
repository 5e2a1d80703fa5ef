#include "base/input.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/gauge.h"

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

bool read_all(int fd, Buffer& buffer, int& error) {
  constexpr std::size_t kBite = std::size_t{1} << 16;
  for (;;) {
    const ssize_t got = ::read(fd, buffer.room(kBite), kBite);
    if (got == 0) return true;
    if (got < 0) {
      if (errno == EINTR) continue;
      error = errno;
      return false;
    }
    buffer.grow(static_cast<std::size_t>(got));
  }
}

// Pages of a file, until nobody wants them any more.
struct Mapping {
  void* memory;
  std::size_t size;
  Mapping(void* m, std::size_t s) : memory(m), size(s) {}
  ~Mapping() { munmap(memory, size); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
};

// Maps the file with readable bytes behind its end: the pages are reserved
// first, then the file is laid over them. nullptr: cannot be mapped.
std::shared_ptr<const Mapping> map_padded(int fd, std::size_t size) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t mapped = (size + Input::kPadding + page - 1) / page * page;
  void* const memory =
      mmap(nullptr, mapped, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto mapping = std::make_shared<const Mapping>(memory, mapped);
  if (mmap(memory, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) ==
      MAP_FAILED) {
    return nullptr;
  }
  madvise(memory, size, MADV_SEQUENTIAL);
  return mapping;
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
    if (const auto mapping = map_padded(file.get(), size)) {
      input.data_ = static_cast<const char*>(mapping->memory);
      input.size_ = size;
      input.mapped_ = input.padded_ = true;
      input.keeper_ = mapping;
      gauge().total.fetch_add(size, std::memory_order_relaxed);
      return input;
    }
  }
  int error = 0;
  Buffer buffer;
  if (!read_all(file.get(), buffer, error)) {
    return system_error(input.name_, error);
  }
  return of(std::move(buffer), std::move(input.name_));
}

Input Input::of(Buffer bytes, std::string name) {
  Input input = of(bytes.bytes(), std::move(name));
  input.padded_ = input.size_ != 0;
  input.keeper_ = std::make_shared<const Buffer>(std::move(bytes));
  return input;
}

Input Input::of(std::string_view bytes, std::string name) {
  gauge().total.fetch_add(bytes.size(), std::memory_order_relaxed);
  Input input;
  input.data_ = bytes.data();
  input.size_ = bytes.size();
  input.name_ = std::move(name);
  return input;
}

Input::Input(Input&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(other.mapped_),
      padded_(other.padded_),
      keeper_(std::move(other.keeper_)),
      name_(std::move(other.name_)) {}

Input& Input::operator=(Input&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  std::swap(padded_, other.padded_);
  std::swap(keeper_, other.keeper_);
  std::swap(name_, other.name_);
  return *this;
}

void Input::release(std::size_t from, std::size_t to) const {
  gauge().done.fetch_add(to - from, std::memory_order_relaxed);
  if (!mapped_) return;
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  from = (from + page - 1) / page * page;
  to = to / page * page;
  if (from < to) {
    madvise(const_cast<char*>(data_) + from, to - from, MADV_DONTNEED);
  }
}

}  // namespace awdit
