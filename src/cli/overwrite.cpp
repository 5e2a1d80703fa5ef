#include "cli/overwrite.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/sniff.h"

namespace awdit::cli {
namespace {

namespace fs = std::filesystem;

bool same_file(const struct stat& a, const std::string& path) {
  struct stat b {};
  return !path.empty() && stat(path.c_str(), &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

// A report that stands among the files of a history is no part of it.
bool is_part_of(const std::string& path, const std::string& directory) {
  std::error_code code;
  if (!fs::is_directory(directory, code)) return false;
  const fs::path whole = fs::canonical(path, code);
  return !code && fs::equivalent(whole.parent_path(), directory, code) &&
         looks_like_history(path);
}

}  // namespace

Outcome refuse_to_replace(const std::string& path, const std::string& what,
                          std::span<const std::string> inputs) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return std::nullopt;
  if (S_ISDIR(info.st_mode)) {
    return Error{
        .where = path,
        .message = what + " cannot be written: " + std::strerror(EISDIR),
        .hint = "Name a file in a directory that you may write to."};
  }
  for (const std::string& input : inputs) {
    if (!same_file(info, input) && !is_part_of(path, input)) continue;
    return Error{.where = path,
                 .message = what + " would overwrite the history",
                 .hint = "Choose another name."};
  }
  return std::nullopt;
}

Outcome refuse_to_fill(const std::string& path, const std::string& hint) {
  std::error_code code;
  if (!fs::exists(path, code) ||
      (fs::is_directory(path, code) && fs::is_empty(path, code))) {
    return std::nullopt;
  }
  return Error{.where = path,
               .message = "already exists and is not an empty directory",
               .hint = hint};
}

bool same_place(const std::string& a, const std::string& b) {
  std::error_code code;
  const fs::path first = fs::weakly_canonical(fs::absolute(a), code);
  if (code) return a == b;
  const fs::path second = fs::weakly_canonical(fs::absolute(b), code);
  return code ? a == b : first == second;
}

}  // namespace awdit::cli
