#include "cli/destination.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "base/archive_library.h"
#include "base/temporary_directory.h"
#include "cli/atomic_file.h"
#include "cli/doomed.h"
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

// -- directories --------------------------------------------------------------

// Files go to a directory inside a temporary one beside the target, and that is
// renamed at the end. A signal removes both; what SIGKILL leaves is swept by
// the next who writes there. One at a time.
class ToDirectory : public Destination {
 public:
  explicit ToDirectory(std::string path) : path_(std::move(path)) {}
  ~ToDirectory() override {
    if (!place_) return;
    const SignalsHeld held;
    const std::string path = place_->path();
    file_.reset();
    place_.reset();
    spare(path);
  }
  Sink& new_file(std::string_view name) override {
    close();
    name_ = std::string(name);
    file_.emplace([this](std::string_view bytes) { return put(bytes); });
    const std::string full = files() + "/" + name_;
    stream_ = std::fopen(full.c_str(), "wb");
    if (stream_ == nullptr) failure_ = errno;
    return *file_;
  }
  Outcome commit() override {
    close();
    if (failure_ == 0) {
      std::error_code code;
      fs::rename(files(), path_, code);
      failure_ = code.value();
    }
    if (failure_ != 0) {
      return Error{
          .where = path_,
          .message = std::string("the directory cannot be written: ") +
                     std::strerror(failure_),
          .hint = "Name a directory inside one that you may write to."};
    }
    return std::nullopt;
  }

  // To be called first.
  Outcome make() {
    const fs::path parent = fs::path(path_).parent_path();
    const std::string beside = parent.empty() ? "." : parent.string();
    sweep_temporary_directories_in(beside);
    const SignalsHeld held;
    Result<TemporaryDirectory> made = TemporaryDirectory::make_in(beside);
    if (!made) return std::move(made.error());
    place_.emplace(std::move(*made));
    doom(place_->path());
    // With the mode that any new directory gets.
    if (::mkdir(files().c_str(), 0777) != 0) {
      return Error{.message = std::string("the directory cannot be created: ") +
                              std::strerror(errno)};
    }
    return std::nullopt;
  }

 private:
  std::string files() const { return place_->file(kDoomedFiles); }
  bool put(std::string_view bytes) {
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
  }

  std::string path_;
  std::optional<TemporaryDirectory> place_;
  std::string name_;
  std::optional<Sink> file_;
  std::FILE* stream_ = nullptr;
  int failure_ = 0;
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
  auto directory = std::make_unique<ToDirectory>(path);
  if (Outcome failed = directory->make()) {
    failed->where = path;
    failed->hint = "Name a directory inside one that you may write to.";
    return std::move(*failed);
  }
  return std::unique_ptr<Destination>(std::move(directory));
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
  const AddFilter add = filter_of(path);
  if (add != nullptr) {
    if (Outcome failed = load_archive_library()) return *failed;
  }
  Result<AtomicFile> file = AtomicFile::create(path, "the output", never);
  if (!file) return std::move(file.error());
  if (add != nullptr) {
    return std::unique_ptr<Destination>(
        new ToCompressed(std::move(*file), path, add));
  }
  return std::unique_ptr<Destination>(new ToFile(std::move(*file)));
}

Outcome write_history(const History& history, const Format& format,
                      Destination& destination, unsigned threads) {
  format.write(history, {[&](std::string_view file) -> Sink& {
                           return destination.new_file(file);
                         },
                         threads});
  return destination.commit();
}

void print_losses(const std::string& name, const Format& format,
                  const std::vector<std::string>& losses) {
  for (const std::string& loss : losses) {
    print_note(name, fmt::format("lost in {}: {}", format.name, loss));
  }
}

}  // namespace awdit::cli
