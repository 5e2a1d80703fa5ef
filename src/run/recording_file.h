// A file that grows while somebody may be killed at any moment. Private to
// run/.
//
// Bytes are copied into a window of the file that is mapped into memory: once
// they are there the kernel has them, and no system call is made for each. What
// a killed recorder leaves has zeros behind its end; a window's room is
// reserved first, so that a full disk is an error and no signal. The file
// appears with its first bytes in it, not empty, and never in the place of
// another: of two runs that record into one directory, the second is refused.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace awdit {

class RecordingFile {
 public:
  // `head` is what the file begins with.
  static Result<std::unique_ptr<RecordingFile>> create(const std::string& path,
                                                       std::string_view head);
  ~RecordingFile();
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;

  // False: it failed, and `failure` says why; the bytes are lost.
  bool append(std::string_view bytes);
  std::size_t size() const { return size_; }
  // Takes back what was appended since it had that size.
  bool cut(std::size_t size);
  // Gives back what was reserved too much. To be called once, last.
  Outcome close();
  const Outcome& failure() const { return failure_; }

 private:
  explicit RecordingFile(std::string path) : path_(std::move(path)) {}
  bool next_window();
  bool map_window();
  bool fail(int number);

  std::string path_;
  int fd_ = -1;
  std::size_t size_ = 0;    // bytes written
  std::size_t window_ = 0;  // where the window begins in the file
  char* bytes_ = nullptr;   // the window; nullptr: none yet
  Outcome failure_;
};

}  // namespace awdit
