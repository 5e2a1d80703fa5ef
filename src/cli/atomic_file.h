// A file that appears whole or not at all.
//
// The bytes go to a temporary file beside the target, which is synced and
// renamed over it at the end. Until then the target is untouched, whatever
// happens; the temporary is removed on failure and on Ctrl-C. A target that is
// not a regular file (/dev/stdout, a pipe) is written directly.
// One at a time: the signal handlers know one temporary.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace awdit::cli {

class AtomicFile {
 public:
  // Fails if the target could not be written later, so that a long check is
  // not done in vain. `never` is a path that must not be overwritten (the
  // input), or "".
  static Result<AtomicFile> create(const std::string& path,
                                   const std::string& never);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  // Writes everything and puts the file in place. To be called once.
  Outcome commit(std::string_view bytes);

 private:
  AtomicFile() = default;
  Error error(int number) const;

  std::string path_;       // as given, for messages
  std::string target_;     // with symbolic links resolved
  std::string temporary_;  // empty: written directly, or already renamed
  int fd_ = -1;
};

}  // namespace awdit::cli
