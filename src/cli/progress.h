// "checking history.txt ... 3 s" on standard error, if that is a terminal and
// the work takes more than a second.
//
// A timer signal writes the line, so neither a thread nor a callback from the
// work is needed: the libraries stay silent and fast. One Progress at a time.
#pragma once

#include <string_view>

namespace awdit::cli {

class Progress {
 public:
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
