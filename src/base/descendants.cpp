#include "base/descendants.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "base/process_facts.h"

namespace awdit {

bool has_stopped(int process) {
  std::error_code trouble;
  std::filesystem::directory_iterator entry(
      "/proc/" + std::to_string(process) + "/task", trouble);
  for (; !trouble && entry != std::filesystem::directory_iterator();
       entry.increment(trouble)) {
    std::ifstream file(entry->path() / "stat");
    std::string stat;
    if (!std::getline(file, stat, '\0')) continue;
    const auto facts = parse_process_facts(stat);
    if (!facts || !facts->alive()) continue;
    if (facts->state != 'T' && facts->state != 't') return false;
  }
  return true;
}

std::vector<int> descendants(int ancestor) {
  std::vector<std::pair<int, int>> all;  // process, parent
  for (const int process : all_processes()) {
    if (const auto facts = process_facts(process)) {
      all.emplace_back(process, facts->parent);
    }
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
