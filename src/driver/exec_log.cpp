#include "driver/exec_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/descriptor.h"
#include "driver/exec_quote.h"
#include "server/server.h"

namespace awdit {

Result<ExecLog> ExecLog::make(const std::string& path) {
  auto directory = TemporaryDirectory::make();
  if (!directory) return std::move(directory.error());
  ExecLog log(std::move(*directory));
  log.stays_ = !path.empty();
  log.path_ = path.empty() ? log.directory_.file("driver.log") : path;
  const Descriptor file(::open(
      log.path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!file.good()) {
    return Error{.where = log.path_,
                 .message = "cannot be written to: " +
                            std::generic_category().message(errno),
                 .hint = "Name another place with --set log=FILE."};
  }
  return log;
}

std::string ExecLog::path() const {
  const std::lock_guard lock(*lock_);
  return path_;
}

std::string ExecLog::told() {
  const std::lock_guard lock(*lock_);
  if (told_.empty()) told_ = tell();
  return told_;
}

std::string ExecLog::tell() {
  struct stat about {};
  if (stat(path_.c_str(), &about) != 0 || about.st_size == 0) {
    return "it wrote nothing to standard error";
  }
  if (!stays_) {
    namespace fs = std::filesystem;
    // awdit-PID-START-XXXXXX becomes awdit-driver-PID-START-XXXXXX.log beside
    // it.
    const fs::path ours = fs::path(directory_.path());
    const fs::path kept =
        ours.parent_path() /
        (std::string("awdit-driver-") +
         ours.filename().string().substr(std::string("awdit-").size()) +
         ".log");
    if (std::rename(path_.c_str(), kept.c_str()) == 0) path_ = kept.string();
    stays_ = true;
  }
  const std::string last = last_lines(path_);
  const std::size_t line = last.rfind('\n');
  return fmt::format(
      "what it wrote to standard error is in {}, which ends: {}", path_,
      quoted_line(line == std::string::npos ? last : last.substr(line + 1)));
}

}  // namespace awdit
