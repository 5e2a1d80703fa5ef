#include "cli/destination.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/atomic_file.h"
#include "cli/overwrite.h"
#include "cli/signals.h"

namespace awdit::cli {
namespace {

namespace fs = std::filesystem;

class ToOutput : public Destination {
 public:
  explicit ToOutput(Output& out) : sink_(out.sink()) {}
  Sink& new_file(std::string_view) override { return sink_; }
  Outcome commit() override {
    sink_.flush();
    return std::nullopt;  // a failure is told when the output is finished
  }

 private:
  Sink sink_;
};

class ToFile : public Destination {
 public:
  explicit ToFile(AtomicFile file)
      : file_(std::move(file)),
        sink_([this](std::string_view bytes) { return file_.write(bytes); }) {}
  Sink& new_file(std::string_view) override { return sink_; }
  Outcome commit() override {
    sink_.flush();
    return file_.commit();
  }

 private:
  AtomicFile file_;
  Sink sink_;
};

using AddFilter = int (*)(archive*);

AddFilter filter_of(const std::string& path) {
  struct Row {
    std::string_view suffix;
    AddFilter add;
  };
  constexpr Row kRows[] = {{".gz", archive_write_add_filter_gzip},
                           {".xz", archive_write_add_filter_xz},
                           {".zst", archive_write_add_filter_zstd}};
  for (const Row& row : kRows) {
    if (path.ends_with(row.suffix)) return row.add;
  }
  return nullptr;
}

// A stream through libarchive's filter, which calls back with packed bytes.
class ToCompressed : public Destination {
 public:
  ToCompressed(AtomicFile file, std::string path, AddFilter add)
      : file_(std::move(file)),
        path_(std::move(path)),
        archive_(archive_write_new()),
        sink_([this](std::string_view bytes) { return pack(bytes); }) {
    if (archive_ == nullptr) throw std::bad_alloc();
    add(archive_);
    archive_write_set_format_raw(archive_);
    archive_write_set_bytes_per_block(archive_, 0);
    archive_write_open(archive_, this, nullptr, &ToCompressed::take, nullptr);
    archive_entry* entry = archive_entry_new();
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_pathname(entry, "history");
    archive_write_header(archive_, entry);
    archive_entry_free(entry);
  }
  ~ToCompressed() override { archive_write_free(archive_); }
  Sink& new_file(std::string_view) override { return sink_; }
  Outcome commit() override {
    sink_.flush();
    if (archive_write_close(archive_) != ARCHIVE_OK || failed_) {
      if (Outcome failed = file_.commit()) return failed;
      return Error{.where = path_,
                   .message = "the history cannot be compressed",
                   .excerpt = "",
                   .hint = "Write it uncompressed and compress it afterwards."};
    }
    return file_.commit();
  }

 private:
  static la_ssize_t take(archive*, void* self, const void* bytes,
                         std::size_t size) {
    auto* const to = static_cast<ToCompressed*>(self);
    const std::string_view packed(static_cast<const char*>(bytes), size);
    return to->file_.write(packed) ? static_cast<la_ssize_t>(size) : -1;
  }
  bool pack(std::string_view bytes) {
    failed_ |= archive_write_data(archive_, bytes.data(), bytes.size()) !=
               static_cast<la_ssize_t>(bytes.size());
    return !failed_;
  }

  AtomicFile file_;
  std::string path_;
  archive* archive_;
  bool failed_ = false;
  Sink sink_;
};

volatile std::sig_atomic_t interrupted = 0;
void interrupt(int signal) { interrupted = signal; }

// Files go to a temporary directory, renamed at the end. A signal stops the
// writing; the directory is then removed and the signal raised again.
class ToDirectory : public Destination {
 public:
  explicit ToDirectory(std::string path, std::string temporary)
      : path_(std::move(path)), temporary_(std::move(temporary)) {
    interrupted = 0;
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
      old_[i] = std::signal(kSignals[i], interrupt);
      if (old_[i] == SIG_IGN) std::signal(kSignals[i], SIG_IGN);
    }
  }
  ~ToDirectory() override {
    file_.reset();
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
      std::signal(kSignals[i], old_[i]);
    }
    if (interrupted != 0) std::raise(interrupted);
  }
  Sink& new_file(std::string_view name) override {
    close();
    name_ = std::string(name);
    file_.emplace([this](std::string_view bytes) { return put(bytes); });
    const std::string full = temporary_ + "/" + name_;
    stream_ = std::fopen(full.c_str(), "wb");
    if (stream_ == nullptr) failure_ = errno;
    return *file_;
  }
  Outcome commit() override {
    close();
    if (failure_ == 0) {
      std::error_code code;
      fs::rename(temporary_, path_, code);
      failure_ = code.value();
    }
    if (failure_ != 0) {
      return Error{.where = path_,
                   .message = std::string("the directory cannot be written: ") +
                              std::strerror(failure_),
                   .excerpt = "",
                   .hint = "Name a directory in one that you may write to."};
    }
    temporary_.clear();
    return std::nullopt;
  }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

  bool put(std::string_view bytes) {
    if (interrupted != 0) failure_ = EINTR;
    if (failure_ == 0 &&
        std::fwrite(bytes.data(), 1, bytes.size(), stream_) != bytes.size()) {
      failure_ = errno;
    }
    return failure_ == 0;
  }
  void close() {
    if (!file_) return;
    file_->flush();
    file_.reset();
    if (stream_ != nullptr && std::fclose(stream_) != 0 && failure_ == 0) {
      failure_ = errno;
    }
    stream_ = nullptr;
    if (interrupted != 0) failure_ = EINTR;
  }

  std::string path_;
  std::string temporary_;
  std::string name_;
  std::optional<Sink> file_;
  std::FILE* stream_ = nullptr;
  int failure_ = 0;
  void (*old_[std::size(kSignals)])(int) = {};
};

Result<std::unique_ptr<Destination>> open_directory(std::string path,
                                                    const Format& format) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  std::error_code code;
  if (Outcome refused = refuse_to_fill(
          path, fmt::format("A {} history is a directory of files; name a new "
                            "one.",
                            format.name))) {
    return std::move(*refused);
  }
  const SignalsHeld held;
  std::string pattern = path + ".XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    return Error{.where = path,
                 .message = std::string("the directory cannot be made: ") +
                            std::strerror(errno),
                 .excerpt = "",
                 .hint = "Name a directory in one that you may write to."};
  }
  fs::permissions(pattern, fs::perms(0755), code);
  return std::unique_ptr<Destination>(
      new ToDirectory(std::move(path), std::move(pattern)));
}

// Also by a name, such as /dev/tty.
bool is_terminal(const std::string& path) {
  if (path == "-") return isatty(STDOUT_FILENO) == 1;
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || !S_ISCHR(info.st_mode)) return false;
  const int fd = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool terminal = isatty(fd) == 1;
  ::close(fd);
  return terminal;
}

}  // namespace

Result<std::unique_ptr<Destination>> open_destination(
    const std::string& path, const Format& format,
    std::span<const std::string> never, Output& out) {
  if (format.directory) {
    if (path == "-") {
      return Error{.where = "<stdout>",
                   .message = fmt::format("a {} history is a directory of "
                                          "files, which standard output is not",
                                          format.name),
                   .excerpt = "",
                   .hint = "Name a directory."};
    }
    return open_directory(path, format);
  }
  if (format.binary && is_terminal(path)) {
    return Error{.where = path == "-" ? "<stdout>" : path,
                 .message = fmt::format("a history in the format {} is binary, "
                                        "and this is a terminal",
                                        format.name),
                 .hint =
                     "Name a file, write to a pipe, or choose a format that "
                     "is text, such as plume or awdit-jsonl."};
  }
  if (path == "-") return std::unique_ptr<Destination>(new ToOutput(out));
  Result<AtomicFile> file = AtomicFile::create(path, "the output", never);
  if (!file) return std::move(file.error());
  if (const AddFilter add = filter_of(path)) {
    return std::unique_ptr<Destination>(
        new ToCompressed(std::move(*file), path, add));
  }
  return std::unique_ptr<Destination>(new ToFile(std::move(*file)));
}

}  // namespace awdit::cli
