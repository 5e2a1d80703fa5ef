#include "driver/loaded.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <system_error>

namespace awdit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRemedy =
    "The program and its drivers belong together: build and install all of it "
    "again (cmake --build, cmake --install), and copy bin/ and lib/ together.";

std::string last_error() {
  const char* text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

// The directory that the program's own is in.
Result<fs::path> root_of_program() {
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  if (code) {
    return Error{.where = "/proc/self/exe",
                 .message = code.message(),
                 .hint =
                     "Drivers are looked for beside the program, which "
                     "needs /proc."};
  }
  return program.parent_path().parent_path();
}

Result<const LoadedDriver*> load(const Driver& driver) {
  const Result<fs::path> root = root_of_program();
  if (!root) return root.error();
  const std::string path =
      (*root / "lib" / "awdit" / fmt::format("{}.so", driver.name)).string();
  std::error_code code;
  if (!fs::exists(path, code)) {
    return Error{
        .where = path,
        .message = fmt::format("the driver {} is missing", driver.name),
        .hint = std::string(kRemedy)};
  }
  void* const file = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (file == nullptr) {
    return Error{.where = path,
                 .message = fmt::format("the driver {} cannot be loaded: {}",
                                        driver.name, last_error()),
                 .hint = fmt::format("Is the library of {} still installed? {}",
                                     driver.package, kRemedy)};
  }
  const auto* const loaded =
      static_cast<const LoadedDriver*>(dlsym(file, kLoadedDriver));
  if (loaded == nullptr || std::strcmp(loaded->stamp, awdit_stamp) != 0) {
    return Error{.where = path,
                 .message = fmt::format("the driver {} is of another build",
                                        driver.name),
                 .hint = std::string(kRemedy)};
  }
  return loaded;
}

}  // namespace

Result<std::unique_ptr<Database>> load_and_open(
    const DatabaseOptions& options) {
  const Result<const LoadedDriver*> loaded =
      load(*driver_of(options.urls.front()));
  if (!loaded) return loaded.error();
  return (*loaded)->open(options);
}

}  // namespace awdit
