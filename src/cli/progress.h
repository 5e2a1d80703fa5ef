// What is going on, on standard error, if that is a terminal and the work takes
// more than a second:
//
//   reading big.txt  ########............  41%  1.1 of 2.7 GB  9 s left
//   checking big.txt at causal ... 3 s
//
// A timer signal writes the line from the counters of base/work.h, so neither
// a thread nor a callback from the work is needed: the libraries stay silent
// and fast. One Progress at a time.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/work.h"

namespace awdit::cli {

// The part of the line after the stage's name: at what (at most 32 bytes), and
// what has been done after that many quarters of a second. Returns how many
// bytes of `begin` (at least 128) it took. Allocates nothing, because a signal
// handler uses it.
std::size_t progress_text(std::string_view at, std::uint64_t done,
                          std::uint64_t total, std::uint64_t quarters,
                          char* begin);

// What this process is doing. The only one that there is of the program; the
// libraries are handed it like any other argument.
Work& current_work();

class Progress {
 public:
  // Silent in any case if quiet().
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // What is being done now, e.g. "checking", "history.txt".
  void stage(std::string_view verb, std::string_view path);
  // Erases the line, so that something else can be printed.
  void clear();

 private:
  bool active_ = false;
};

}  // namespace awdit::cli
