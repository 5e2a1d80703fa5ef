// The directory that a recording's files are written to, owned by one run.
//
// Two runs that record into one directory would leave a mixture of two
// histories, and a mixture looks broken although no database was. So a run owns
// its directory: it locks the directory itself, which leaves nothing behind and
// ends with the process however that ends, and only then looks whether it is
// empty. Where a file system has no locks, the first file decides: see
// run/recording_file.h, which never replaces one.
#pragma once

#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "base/temporary_directory.h"

namespace awdit::cli {

class Workplace {
 public:
  // "": a temporary one that is removed at the end. Fails if something is in
  // the directory, or if another run owns it.
  static Result<Workplace> create(const std::string& path);

  const std::string& path() const { return path_; }
  void remove();

 private:
  Workplace() = default;
  Outcome own();

  std::string path_;
  Descriptor directory_;  // holds the lock
  std::optional<TemporaryDirectory> temporary_;
};

}  // namespace awdit::cli
