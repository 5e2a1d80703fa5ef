// What a run is doing, on standard error, if that is a terminal:
//
//   recording c-twitter on rocksdb at snapshot  3.2 s
//   ############........  6102 of 10000 tasks  2310 transactions/s
//   8 sessions  5980 committed  112 aborted  10 withdrawn  0 unknown
//   aborted: busy 100, timed-out 12
//
// Redrawn in place; erased when the run ends, and a summary takes its place.
#pragma once

#include <cstdint>
#include <string>

#include "run/run.h"

namespace awdit::cli {

// The lines, without colours or anything for a terminal.
std::string live_text(const RunView& view, const std::string& what,
                      std::uint64_t tasks);
// One or two sentences about a run that is over.
std::string summary_text(const RunView& view);

class LiveView {
 public:
  // `tasks`: how many there will be; 0: not known.
  LiveView(std::string what, std::uint64_t tasks, bool wanted);
  ~LiveView() { erase(); }
  void draw(const RunView& view);
  void erase();

 private:
  std::string what_;
  std::uint64_t tasks_;
  bool active_;
  int lines_ = 0;  // that are on the terminal
};

}  // namespace awdit::cli
