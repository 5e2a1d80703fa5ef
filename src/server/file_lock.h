// A lock on a file that says: a run of awdit uses it. Private to server/.
//
// It is flock(2)'s, which the kernel takes back from a process however that
// ends, and which does not meddle with the locks of SQLite (fcntl(2)'s). But
// closing any descriptor of a file takes away the closing process's locks of
// the latter kind: a FileLock must be taken before SQLite opens the file, and
// go after SQLite has closed it.
#pragma once

#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace awdit {

class FileLock {
 public:
  // Creates the file if need be. Does not wait: the error says who has it.
  static Result<FileLock> take(const std::string& path);

  // Whether the file was not there before.
  bool created() const { return created_; }

 private:
  FileLock(Descriptor file, bool created)
      : file_(std::move(file)), created_(created) {}
  Descriptor file_;
  bool created_;
};

}  // namespace awdit
