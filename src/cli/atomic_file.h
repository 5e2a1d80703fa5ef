// A file that appears whole or not at all.
//
// The bytes go to a file without a name (O_TMPFILE) in the target's directory,
// which is synced and gets its name at the end, in the place of what had it.
// Until then the target is untouched, whatever happens, and there is nothing to
// remove: the kernel does that, also after SIGKILL. Only where a file system
// cannot do that, or while a file is replaced, there is a temporary beside the
// target; it is removed on failure and by every signal that ends us but
// SIGKILL. A target that is not a regular file (/dev/stdout, a pipe) is written
// directly. A few at a time: the signal handlers know sixteen temporaries.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace awdit::cli {

class AtomicFile {
 public:
  // Fails if the target could not be written later, so that long work is not
  // done in vain. `what` it will hold is for messages: "the certificate".
  // `never` are paths that must not be overwritten (the inputs).
  static Result<AtomicFile> create(const std::string& path, std::string what,
                                   std::span<const std::string> never);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  // Appends; false: it failed, and commit will say why.
  bool write(std::string_view bytes);
  // Puts the file in place. To be called once.
  Outcome commit();

 private:
  AtomicFile() = default;
  Error error(int number) const;
  int put_in_place();

  std::string path_;       // as given, for messages
  std::string what_;       // for messages
  std::string target_;     // with symbolic links resolved
  std::string temporary_;  // empty: it has no name, or already its own
  bool nameless_ = false;
  int fd_ = -1;
  int failure_ = 0;  // errno of a write
};

}  // namespace awdit::cli
