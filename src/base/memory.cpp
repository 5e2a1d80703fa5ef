#include "base/memory.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>

namespace awdit {
namespace {

constexpr std::uint64_t kNone = ~std::uint64_t{0};

// The number in a file of one line; kNone: it says "max", or is not there.
std::uint64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = kNone;
  if (!(file >> number)) return kNone;
  return number;
}

// Of the group and those above it: any of them may be the narrowest. In a
// container the path is that of the host, and what is mounted is the group
// itself: that is the last one looked at.
std::uint64_t least_of_path(const std::string& mount, std::string path,
                            const char* file) {
  std::uint64_t least = kNone;
  for (;;) {
    while (path.ends_with('/')) path.pop_back();
    least = std::min(least, number_in(mount + path + "/" + file));
    if (path.empty()) return least;
    path.erase(path.rfind('/'));
  }
}

// Whether `word` is one of a list with commas.
bool lists(std::string_view list, std::string_view word) {
  for (;;) {
    const std::size_t comma = list.find(',');
    if (list.substr(0, comma) == word) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
}

std::uint64_t least_of_groups(const std::string& root) {
  std::uint64_t least = kNone;
  const std::string mount = root + "/sys/fs/cgroup";
  std::ifstream groups(root + "/proc/self/cgroup");
  // "0::/path" or "5:cpu,memory:/path"
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second =
        first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view controllers =
        std::string_view(line).substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    if (!path.starts_with('/')) continue;
    if (controllers.empty()) {
      for (const char* where : {"", "/unified"}) {
        least =
            std::min(least, least_of_path(mount + where, path, "memory.max"));
      }
    } else if (lists(controllers, "memory")) {
      least = std::min(least, least_of_path(mount + "/memory", path,
                                            "memory.limit_in_bytes"));
    }
  }
  return least;
}

}  // namespace

std::uint64_t memory_of_groups(const std::string& root) {
  const std::uint64_t least = least_of_groups(root);
  return least == kNone ? 0 : least;
}

std::uint64_t memory_of_process() {
  std::uint64_t least = least_of_groups("");
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && bytes > 0) {
    least = std::min(least, static_cast<std::uint64_t>(pages) *
                                static_cast<std::uint64_t>(bytes));
  }
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    struct rlimit limit {};
    if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
      least = std::min<std::uint64_t>(least, limit.rlim_cur);
    }
  }
  return least == kNone ? 0 : least;
}

// No stream: this is asked while memory may be short, and often.
std::uint64_t memory_in_use() {
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128];
  const ssize_t size = read(file, text, sizeof text);
  close(file);
  if (size <= 0) return 0;
  // Pages: of address space, resident, shared or of files.
  std::uint64_t numbers[3] = {0, 0, 0};
  const char* at = text;
  const char* const end = text + size;
  for (std::uint64_t& number : numbers) {
    while (at != end && *at == ' ') ++at;
    at = std::from_chars(at, end, number).ptr;
  }
  if (numbers[1] < numbers[2]) return 0;
  return (numbers[1] - numbers[2]) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void release_memory() {
  release_pages();
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace awdit
