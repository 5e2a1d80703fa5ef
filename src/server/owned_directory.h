// Where an embedded database lives: a temporary directory, or one that the user
// names and that is kept.
//
// A named directory is ours to empty only if a marker says so, and gets one
// only while it is empty: no slip of the keyboard deletes foreign data.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/temporary_directory.h"

namespace awdit {

class OwnedDirectory {
 public:
  // `path` "": a temporary directory, which goes with this object.
  static Result<OwnedDirectory> claim(std::string_view path);

  const std::string& path() const { return path_; }

  // Takes the marker away, so that it is ours no more; unless it `stays`, the
  // directory too, if it is empty then.
  Outcome release(bool stays) const;

 private:
  std::optional<TemporaryDirectory> temporary_;
  std::string path_;
};

}  // namespace awdit
