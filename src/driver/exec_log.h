// What drivers write to standard error. Private to driver/.
//
// It goes to a file that vanishes with the run unless a message names it: then
// it is moved beside, out of what is removed, and stays. A driver that is
// running keeps writing to it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/result.h"
#include "base/temporary_directory.h"

namespace awdit {

class ExecLog {
 public:
  // `path`: a file of the user's, which is appended to; "": a temporary one.
  static Result<ExecLog> make(const std::string& path);

  // For a driver that is about to be started.
  std::string path() const;
  // A sentence for a message, with the last line and where the rest is; from
  // now on the file stays.
  std::string told();

 private:
  explicit ExecLog(TemporaryDirectory directory)
      : directory_(std::move(directory)),
        lock_(std::make_unique<std::mutex>()) {}

  // REQUIRES: the lock.
  std::string tell();

  TemporaryDirectory directory_;
  std::unique_ptr<std::mutex> lock_;  // guards what follows
  std::string path_;
  bool stays_ = false;
  std::string told_;  // sessions that fail at the same time say the same
};

}  // namespace awdit
