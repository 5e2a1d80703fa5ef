// What the kernel tells about a process: /proc/PID/stat.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace awdit {

struct ProcessFacts {
  char state = '?';  // 'R', 'S', 'T', 'Z', ...
  int parent = 0;
  int terminal = 0;         // that controls it; 0: none
  std::uint64_t start = 0;  // clock ticks since the machine was started
  // Neither a zombie nor about to vanish.
  bool alive() const { return state != 'Z' && state != 'X' && state != 'x'; }
};

// From the text of a stat file, of a process or of one of its threads; nothing
// if that is no such text.
std::optional<ProcessFacts> parse_process_facts(const std::string& stat);
// Nothing: there is no such process.
std::optional<ProcessFacts> process_facts(int process);

// The numbers of all processes that can be seen.
std::vector<int> all_processes();

}  // namespace awdit
