// A directory of our own that vanishes with its owner.
//
// It lies in $TMPDIR (or where the system puts such things), is called
// awdit-XXXXXX and is closed to everybody else. Whoever holds it removes it,
// with all that is in it, also on the way out of an error; only a process that
// is killed leaves it behind.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "driver/account.h"

namespace awdit {

class TemporaryDirectory {
 public:
  // Belongs to `owner` if there is one: for a server that runs as such.
  static Result<TemporaryDirectory> make(
      const std::optional<Account>& owner = std::nullopt);

  TemporaryDirectory(TemporaryDirectory&& other) noexcept
      : path_(std::exchange(other.path_, {})) {}
  TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryDirectory();

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit TemporaryDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;  // "": moved away
};

}  // namespace awdit
