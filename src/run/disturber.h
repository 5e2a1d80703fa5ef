// Faults by a seeded schedule: calm, trouble, calm, ... in a thread of its own.
// Each is told to whoever records it. Private to run/.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "run/run.h"
#include "run/worker.h"

namespace awdit {

class Disturber {
 public:
  // A fault that is over, as JSON, for the recording.
  using Note = std::function<void(const std::string& json)>;

  Disturber(RunShared& shared, Note note);
  ~Disturber();

  void start();
  // What lasts is ended, and the thread too.
  void stop();

  // For the view.
  std::string lasting() const;
  std::uint32_t begun() const;

 private:
  void run();
  void disturb(const FaultKind& kind);
  // False: it is time to stop.
  bool sleep(std::chrono::milliseconds about);

  RunShared& shared_;
  Note note_;
  Random random_;
  std::thread thread_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
  std::string lasting_;
  std::uint32_t begun_ = 0;
};

}  // namespace awdit
