#include "driver/owned_directory.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace awdit {
namespace {

constexpr const char* kMarker = "AWDIT";

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
  std::ofstream marker(place / kMarker);
  marker << "awdit may delete what is in this directory.\n";
  marker.close();
  if (!marker) {
    return Error{.where = directory.path_, .message = "cannot be written"};
  }
  return directory;
}

}  // namespace awdit
