// What a run is doing, on standard error, if that is a terminal:
//
//   recording c-twitter on postgres at serializable  12 of 20 s
//   ############........  6102 of 10000 tasks  508 transactions/s
//   8 sessions  5980 committed  112 aborted  10 withdrawn  0 unknown
//   trouble: 40001 serialization failure (100), 40P01 deadlock (12)
//
// Redrawn in place; erased when the run ends, and a summary takes its place.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "run/run.h"

namespace awdit::cli {

// How much there is to do.
struct Amount {
  std::uint64_t tasks = 0;                // 0: not known
  std::chrono::milliseconds duration{0};  // 0: until the tasks are done
};

// The lines, without colours or anything for a terminal.
std::string live_text(const RunView& view, const std::string& what,
                      const Amount& amount);
// One or two sentences about a run that is over.
std::string summary_text(const RunView& view);

class LiveView {
 public:
  LiveView(std::string what, const Amount& amount);
  ~LiveView() { erase(); }
  void draw(const RunView& view);
  void erase();

 private:
  std::string what_;
  Amount amount_;
  bool active_;
  int lines_ = 0;  // that are on the terminal
};

}  // namespace awdit::cli
