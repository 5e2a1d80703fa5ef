#include "driver/owned_directory.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <system_error>

namespace awdit {
namespace {

constexpr const char* kMarker = "AWDIT";

// A new file, never what a link of that name leads to.
bool make_marker(const std::filesystem::path& path) {
  constexpr std::string_view kText =
      "awdit may delete what is in this directory.\n";
  const int file = open(
      path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) return false;
  const bool written = write(file, kText.data(), kText.size()) ==
                       static_cast<ssize_t>(kText.size());
  return (close(file) == 0) && written;
}

}  // namespace

Result<OwnedDirectory> OwnedDirectory::claim(std::string_view path) {
  OwnedDirectory directory;
  if (path.empty()) {
    auto made = TemporaryDirectory::make();
    if (!made) return made.error();
    directory.path_ = made->path();
    directory.temporary_ = std::move(*made);
    return directory;
  }
  directory.path_ = path;
  const std::filesystem::path place(path);
  std::error_code trouble;
  std::filesystem::create_directories(place, trouble);
  if (trouble) {
    return Error{.where = directory.path_,
                 .message = "cannot be a directory: " + trouble.message()};
  }
  if (std::filesystem::exists(place / kMarker, trouble)) return directory;
  if (!std::filesystem::is_empty(place, trouble)) {
    return Error{.where = directory.path_,
                 .message = trouble ? trouble.message()
                                    : "there is something that is not awdit's",
                 .hint =
                     "Name a directory that is empty or does not exist: "
                     "its contents will be deleted."};
  }
  if (!make_marker(place / kMarker)) {
    return Error{.where = directory.path_, .message = "cannot be written"};
  }
  return directory;
}

}  // namespace awdit
