#include "server/owned_directory.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace awdit {
namespace {

constexpr const char* kMarker = "AWDIT";
constexpr std::string_view kMarkerText =
    "awdit may delete what is in this directory.\n";

// By what it says: something called AWDIT may be anybody's.
bool is_marked(const std::filesystem::path& place) {
  std::error_code trouble;
  const std::filesystem::path marker = place / kMarker;
  if (!std::filesystem::is_regular_file(
          std::filesystem::symlink_status(marker, trouble))) {
    return false;
  }
  std::ifstream file(marker);
  std::string line;
  return std::getline(file, line) && line + '\n' == kMarkerText;
}

// A new file, never what a link of that name leads to.
bool make_marker(const std::filesystem::path& path) {
  const int file = open(
      path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) return false;
  const bool written = write(file, kMarkerText.data(), kMarkerText.size()) ==
                       static_cast<ssize_t>(kMarkerText.size());
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
  if (is_marked(place)) return directory;
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

Outcome OwnedDirectory::release(bool stays) const {
  if (temporary_) return std::nullopt;
  const std::filesystem::path place(path_);
  std::error_code trouble;
  std::filesystem::remove(place / kMarker, trouble);
  if (!trouble && !stays && std::filesystem::is_empty(place, trouble)) {
    std::filesystem::remove(place, trouble);
  }
  if (!trouble) return std::nullopt;
  return Error{.where = path_,
               .message = "cannot be removed: " + trouble.message()};
}

}  // namespace awdit
