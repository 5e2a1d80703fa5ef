#include "driver/descendants.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace awdit {
namespace {

// From "123 (any ) name) S 45 ...": what follows the last parenthesis is the
// state and then the parent.
int parent_in(const std::string& stat) {
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || name_end + 4 >= stat.size()) return 0;
  int parent = 0;
  std::from_chars(stat.data() + name_end + 4, stat.data() + stat.size(),
                  parent);
  return parent;
}

// 'R', 'S', 'T', ...
char state_in(const std::string& stat) {
  const std::size_t name_end = stat.rfind(')');
  return name_end == std::string::npos || name_end + 2 >= stat.size()
             ? '?'
             : stat[name_end + 2];
}

}  // namespace

bool has_stopped(int process) {
  std::error_code trouble;
  std::filesystem::directory_iterator entry(
      "/proc/" + std::to_string(process) + "/task", trouble);
  for (; !trouble && entry != std::filesystem::directory_iterator();
       entry.increment(trouble)) {
    std::ifstream file(entry->path() / "stat");
    std::string stat;
    if (!std::getline(file, stat, '\0')) continue;
    const char state = state_in(stat);
    if (state != 'T' && state != 't' && state != 'Z' && state != 'X') {
      return false;
    }
  }
  return true;
}

std::vector<int> descendants(int ancestor) {
  std::vector<std::pair<int, int>> all;  // process, parent
  std::error_code trouble;
  std::filesystem::directory_iterator entry("/proc", trouble);
  for (; !trouble && entry != std::filesystem::directory_iterator();
       entry.increment(trouble)) {
    const std::string name = entry->path().filename().string();
    int process = 0;
    const auto [end, error] =
        std::from_chars(name.data(), name.data() + name.size(), process);
    if (error != std::errc() || end != name.data() + name.size()) continue;
    std::ifstream file(entry->path() / "stat");
    std::string stat;
    if (std::getline(file, stat, '\0'))
      all.emplace_back(process, parent_in(stat));
  }
  std::vector<int> found = {ancestor};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& [process, parent] : all) {
      if (parent == found[i]) found.push_back(process);
    }
  }
  found.erase(found.begin());
  return found;
}

}  // namespace awdit
