#include "base/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string_view>
#include <vector>

namespace awdit {
namespace {

using Clock = std::chrono::steady_clock;

int open_directory(int parent, const std::string& name) {
  return openat(parent, name.c_str(),
                O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// What is in an open directory, which stays open.
std::vector<std::string> entries_of(int directory) {
  std::vector<std::string> names;
  const int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const stream = copy < 0 ? nullptr : fdopendir(copy);
  if (stream == nullptr) {
    if (copy >= 0) close(copy);
    return names;
  }
  while (const dirent* entry = readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  closedir(stream);
  return names;
}

// Removes what is no directory, or an empty one.
bool remove_entry(int directory, const std::string& name) {
  return unlinkat(directory, name.c_str(), 0) == 0 ||
         unlinkat(directory, name.c_str(), AT_REMOVEDIR) == 0 ||
         errno == ENOENT;
}

class Remover {
 public:
  Remover(int top, std::chrono::seconds patience)
      : top_(top), deadline_(Clock::now() + patience) {}

  // Returns whether nothing is left in it.
  bool run() {
    for (bool progress = true; progress && !late();) {
      progress = false;
      const std::vector<std::string> names = entries_of(top_);
      if (names.empty()) return true;
      for (const std::string& name : names) {
        if (late()) break;
        if (remove_entry(top_, name) || flatten(name)) progress = true;
      }
    }
    return false;
  }

 private:
  bool late() const { return Clock::now() > deadline_; }

  // Empties a directory of the top and removes it. Returns whether anything
  // came of it.
  bool flatten(const std::string& name) {
    const int inner = open_directory(top_, name);
    if (inner < 0) return false;
    bool progress = false;
    for (const std::string& entry : entries_of(inner)) {
      if (remove_entry(inner, entry) || lift(inner, entry)) progress = true;
    }
    close(inner);
    return remove_entry(top_, name) || progress;
  }

  bool lift(int inner, const std::string& name) {
    // What an earlier attempt has left may have the name: once more.
    for (int attempt = 0; attempt < 1000; ++attempt) {
      const std::string place = "removed-" + std::to_string(++lifted_);
      if (renameat2(inner, name.c_str(), top_, place.c_str(),
                    RENAME_NOREPLACE) == 0) {
        return true;
      }
      if (errno == EINVAL || errno == ENOSYS) {  // no such flag there
        return renameat(inner, name.c_str(), top_, place.c_str()) == 0;
      }
      if (errno != EEXIST) return false;
    }
    return false;
  }

  const int top_;
  const Clock::time_point deadline_;
  std::uint64_t lifted_ = 0;
};

}  // namespace

bool remove_tree(int parent, const std::string& name,
                 std::chrono::seconds patience) {
  const int top = open_directory(parent, name);
  if (top < 0) return errno == ENOENT;
  Remover(top, patience).run();
  close(top);
  return unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT;
}

}  // namespace awdit
