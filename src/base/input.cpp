#include "base/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "base/array.h"
#include "base/budget.h"
#include "base/counted.h"
#include "base/descriptor.h"
#include "base/memory.h"
#include "base/parallel.h"

namespace awdit {
namespace {

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

// Copying so much takes no longer than mapping it.
constexpr std::size_t kCopied = std::size_t{1} << 20;
// No limit of memory is asked for below this.
constexpr std::size_t kHarmless = std::size_t{64} << 20;

Error change(const std::string& name) {
  return {.where = name,
          .message = "the file changed while it was read",
          .hint =
              "Whatever writes it is not done yet. Try again when it is, or "
              "copy the file and name the copy."};
}

// Reads a stream to its end, or until nobody wants it any more. Nothing but
// zeros is never a history, whatever it was said to be.
Outcome read_all(int fd, const std::string& name, const Input::Options& options,
                 Buffer& buffer, bool& cut) {
  constexpr std::size_t kBite = std::size_t{1} << 16;
  bool judged = false;
  std::size_t most = 0;
  for (;;) {
    const ssize_t got = ::read(fd, buffer.room(kBite), kBite);
    if (got == 0) return std::nullopt;
    if (got < 0) {
      if (errno == EINTR) continue;
      return system_error(name, errno);
    }
    buffer.grow(static_cast<std::size_t>(got));
    const std::string_view head = buffer.bytes();
    if (!judged && head.size() >= Input::kHead) {
      judged = true;
      cut = (options.wanted && !options.wanted(head)) ||
            head.find_first_not_of('\0') == std::string_view::npos;
      if (cut) return std::nullopt;
    }
    if (head.size() > kHarmless) {
      if (most == 0) most = Input::most_held();
      if (most != 0 && head.size() > most) {
        return Input::too_many(
            name, "Write it to a file and name that: files are not held.");
      }
    }
  }
}

// All of a file of that many bytes.
Outcome read_file(int fd, const std::string& name, const struct stat& info,
                  Buffer& buffer) {
  const auto size = static_cast<std::size_t>(info.st_size);
  for (;;) {
    const std::size_t left = size - buffer.bytes().size();
    // One byte more tells whether this is the end.
    const ssize_t got = ::read(fd, buffer.room(left + 1), left + 1);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(name, errno);
    if (got == 0) break;
    if (static_cast<std::size_t>(got) > left) return change(name);
    buffer.grow(static_cast<std::size_t>(got));
  }
  if (buffer.bytes().size() != size || !same_file_state(fd, info)) {
    return change(name);
  }
  return std::nullopt;
}

}  // namespace

Result<Input> Input::open(const std::string& path, const Options& options) {
  const bool is_stdin = path == "-";
  Input input;
  input.name_ = is_stdin ? "<stdin>" : path;
  input.work_ = options.work;
  // Opening a pipe waits for its other end.
  const int flags =
      O_RDONLY | O_CLOEXEC | O_NOCTTY | (options.regular_only ? O_NONBLOCK : 0);
  Descriptor file(is_stdin ? -1 : ::open(path.c_str(), flags));
  const int fd = is_stdin ? STDIN_FILENO : file.number();
  struct stat info {};
  if (fd < 0 || fstat(fd, &info) != 0) return system_error(input.name_, errno);
  if (S_ISDIR(info.st_mode)) return system_error(input.name_, EISDIR);
  const bool regular = S_ISREG(info.st_mode);
  if (options.regular_only && !regular) {
    return Error{.where = input.name_, .message = "this is not a regular file"};
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  Buffer buffer;
  if (regular && size != 0 && !is_stdin) {
    if (size > kCopied && options.may_map) {
      if (auto mapped = MappedFile::map(fd, info, kPadding)) {
        static_cast<void>(file.release());
        input.data_ = mapped->data();
        input.size_ = size;
        input.padded_ = true;
        input.file_ = mapped;
        input.keeper_ = std::move(mapped);
        if (options.work != nullptr) options.work->add_total(size);
        return input;
      }
    }
    if (Outcome failed = read_file(fd, input.name_, info, buffer)) {
      return *failed;
    }
    return of(std::move(buffer), std::move(input.name_), false, options.work);
  }
  bool cut = false;
  if (Outcome failed = read_all(fd, input.name_, options, buffer, cut)) {
    return *failed;
  }
  return of(std::move(buffer), std::move(input.name_), cut, options.work);
}

std::size_t Input::most_held() { return memory_of_process() / 2; }

Error Input::too_many(const std::string& name, std::string hint) {
  return {.where = name,
          .message = "the input takes up more than " +
                     grouped(most_held() >> 20) +
                     " MB, half of the memory there is",
          .hint = std::move(hint)};
}

Outcome Input::changed() const {
  if (file_ == nullptr) return std::nullopt;
  switch (file_->trouble()) {
    case MappedFile::Trouble::none:
      break;
    case MappedFile::Trouble::changed:
      return change(name_);
    case MappedFile::Trouble::unreadable:
      return Error{.where = name_,
                   .message = "a part of the file cannot be read",
                   .hint =
                       "Its disk or file system failed. Copy the file to "
                       "another place, to see how far that goes."};
  }
  return std::nullopt;
}

// Whoever has copied a bite passes on what is ready, if nobody else does: so
// that copying and what is made of the bytes share all threads.
Result<Input> Input::settled(
    unsigned threads,
    const std::function<void(std::string_view piece)>& passing) const {
  Input input;
  input.name_ = name_;
  input.size_ = size_;
  input.cut_ = cut_;
  input.work_ = work_;
  if (file_ == nullptr) {
    input.data_ = data_;
    input.padded_ = padded_;
    input.keeper_ = keeper_;
    return input;
  }
  auto copy = std::make_shared<Array<char>>(size_ + kPadding);
  std::fill(copy->begin() + static_cast<std::ptrdiff_t>(size_), copy->end(),
            '\0');
  constexpr std::size_t kBite = std::size_t{256} << 10;
  const std::size_t bites = (size_ + kBite - 1) / kBite;
  std::atomic<int> error{0};
  std::atomic<bool> ended{false};
  std::vector<std::atomic<bool>> copied(bites);
  std::atomic<std::size_t> passed{0};
  std::mutex passing_on;
  const auto pass_on = [&] {
    for (;;) {
      const std::unique_lock lock(passing_on, std::try_to_lock);
      if (!lock) return;
      std::size_t next = passed.load();
      for (; next < bites && copied[next].load(); ++next) {
        const std::size_t at = next * kBite;
        passing({copy->data() + at, std::min(kBite, size_ - at)});
      }
      passed.store(next);
      // Ready since we looked, but refused the lock: that is ours then.
      if (next == bites || !copied[next].load()) return;
    }
  };
  parallel_for(bites, threads, [&](std::size_t i, unsigned) {
    const std::size_t end = std::min((i + 1) * kBite, size_);
    for (std::size_t at = i * kBite; at < end;) {
      const ssize_t got = pread(file_->descriptor(), copy->data() + at,
                                end - at, static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) error.store(errno);
      if (got == 0) ended.store(true);
      if (got <= 0) return;
      at += static_cast<std::size_t>(got);
    }
    copied[i].store(true);
    if (passing) pass_on();
  });
  if (ended.load()) return change(name_);
  if (error.load() != 0) return system_error(name_, error.load());
  while (passing && passed.load() != bites) pass_on();
  input.data_ = copy->data();
  input.padded_ = true;
  input.keeper_ = std::move(copy);
  return input;
}

Input Input::of(Buffer bytes, std::string name, bool cut, Work* work) {
  Input input = of(bytes.bytes(), std::move(name), work);
  input.padded_ = input.size_ != 0;
  input.cut_ = cut;
  input.keeper_ = std::make_shared<const Buffer>(std::move(bytes));
  return input;
}

Input Input::of(std::string_view bytes, std::string name, Work* work) {
  if (work != nullptr) work->add_total(bytes.size());
  Input input;
  input.work_ = work;
  input.data_ = bytes.data();
  input.size_ = bytes.size();
  input.name_ = std::move(name);
  return input;
}

Input::Input(Input&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      padded_(other.padded_),
      cut_(other.cut_),
      work_(other.work_),
      file_(std::move(other.file_)),
      keeper_(std::move(other.keeper_)),
      name_(std::move(other.name_)) {}

Input& Input::operator=(Input&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(padded_, other.padded_);
  std::swap(cut_, other.cut_);
  std::swap(work_, other.work_);
  std::swap(file_, other.file_);
  std::swap(keeper_, other.keeper_);
  std::swap(name_, other.name_);
  return *this;
}

void Input::release(std::size_t from, std::size_t to) const {
  Budget::ask(work_);
  if (work_ != nullptr) work_->add_done(to - from);
  if (file_ != nullptr) file_->release(from, to);
}

}  // namespace awdit
