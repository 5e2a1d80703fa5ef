// A directory of our own that vanishes with its owner.
//
// It lies in $TMPDIR (or where the system puts such things) and is closed to
// everybody else. Whoever holds it removes it, with all that is in it, also on
// the way out of an error. A process that is killed leaves it behind; then the
// next one of the same user sweeps it away (sweep_temporary_directories).
//
// So that nobody's data is ever swept, a directory says whose it is by what
// cannot be half done: its name holds the process that made it and when that
// began, awdit-PID-START-XXXXXX, and that process holds a lock on it. It is
// left over if the process is gone and the lock is free, as well as ours by its
// owner and mode. What still runs in it (a server that was paused, say) and has
// no terminal is killed first. Where a file system has no locks nothing is
// swept.
//
// With an owner, an unprivileged account that a server runs as, there are two
// directories: the outer one is ours, the owner may only pass through it, and
// `path` is inside and the owner's. We never touch anything by its name in
// there: whoever owns a directory can make any name in it a link to anything.
// What we write (logs, configuration, sockets of our own) is `guarded`: beside
// it, in the outer one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"

namespace awdit {

// Whom a directory, or a process, belongs to.
struct Account {
  unsigned user = 0;   // uid_t
  unsigned group = 0;  // gid_t
  std::string name;
};

class TemporaryDirectory {
 public:
  static Result<TemporaryDirectory> make(
      const std::optional<Account>& owner = std::nullopt);
  // In another directory than that for temporary files.
  static Result<TemporaryDirectory> make_in(
      const std::string& parent,
      const std::optional<Account>& owner = std::nullopt);

  TemporaryDirectory(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept;
  ~TemporaryDirectory();

  // The owner's.
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  // Ours, whoever the owner is.
  std::string guarded(const std::string& name) const {
    return top_ + "/" + name;
  }
  // Makes a guarded file that the owner can read, but not change: for programs
  // too, if it is to be executable.
  Outcome write_guarded(const std::string& name, const std::string& text,
                        bool executable = false) const;
  // A guarded directory that the owner can look into.
  Outcome make_guarded(const std::string& name) const;

 private:
  TemporaryDirectory() = default;
  Outcome hand_over();

  std::string top_;  // "": moved away
  std::string path_;
  std::optional<Account> owner_;
  int lock_ = -1;  // the directory, open and locked
};

// The name of the guarded file that lists the processes started in a directory,
// one number per line: what they leave in memory is swept as well.
inline constexpr const char* kProcessRoll = "processes";

// Removes what killed processes of ours have left. `former`: a process that is
// known to be dead, whose lock is waited for. Returns how many directories
// went.
std::size_t sweep_temporary_directories(int former = 0);
std::size_t sweep_temporary_directories_in(const std::string& parent,
                                           int former = 0);

}  // namespace awdit
