#include "base/process_facts.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace awdit {

// "123 (any ) name) S 45 ...": what follows the last parenthesis is the state,
// then numbers: parent, group, session, terminal, ..., the 20th is the start.
std::optional<ProcessFacts> parse_process_facts(const std::string& stat) {
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || name_end + 4 >= stat.size()) {
    return std::nullopt;
  }
  ProcessFacts facts;
  facts.state = stat[name_end + 2];
  std::istringstream numbers(stat.substr(name_end + 4));
  constexpr int kTerminal = 4;
  constexpr int kStart = 19;
  for (int i = 1; i <= kStart; ++i) {
    long long number = 0;
    if (!(numbers >> number)) return std::nullopt;
    if (i == 1) facts.parent = static_cast<int>(number);
    if (i == kTerminal) facts.terminal = static_cast<int>(number);
    if (i == kStart) facts.start = static_cast<std::uint64_t>(number);
  }
  return facts;
}

std::optional<ProcessFacts> process_facts(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string stat;
  if (!std::getline(file, stat, '\0')) return std::nullopt;
  return parse_process_facts(stat);
}

std::vector<int> all_processes() {
  std::vector<int> found;
  std::error_code trouble;
  std::filesystem::directory_iterator entry("/proc", trouble);
  for (; !trouble && entry != std::filesystem::directory_iterator();
       entry.increment(trouble)) {
    const std::string name = entry->path().filename().string();
    int process = 0;
    const auto [end, error] =
        std::from_chars(name.data(), name.data() + name.size(), process);
    if (error == std::errc() && end == name.data() + name.size()) {
      found.push_back(process);
    }
  }
  return found;
}

}  // namespace awdit
