#include "driver/temporary_directory.h"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace awdit {

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
  std::string path = (parent / "awdit-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) {  // mode 0700
    return Error{.where = parent.string(),
                 .message = "cannot make a temporary directory: " +
                            std::generic_category().message(errno),
                 .hint = "Set TMPDIR to a directory that can be written."};
  }
  TemporaryDirectory directory(std::move(path));
  if (owner && chown(directory.path().c_str(), owner->user, owner->group)) {
    return Error{.where = directory.path(),
                 .message = "cannot give it to " + owner->name + ": " +
                            std::generic_category().message(errno)};
  }
  return directory;
}

TemporaryDirectory::~TemporaryDirectory() {
  if (path_.empty()) return;
  std::error_code ignored;  // there is nobody left to tell
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace awdit
