// The one rule about what is there already, for everything that awdit writes:
//
//   A file is replaced, in one step and only once the new one is complete, but
//   never if it is one of the inputs. A directory must be new or empty. No two
//   things are written to one place.
//
// Who breaks it is told before any work begins.
#pragma once

#include <span>
#include <string>

#include "base/result.h"

namespace awdit::cli {

// Why a file must not be written to `path`: it is one of the inputs, or a part
// of one that is a directory, or a directory. `what` is it: "the report".
Outcome refuse_to_replace(const std::string& path, const std::string& what,
                          std::span<const std::string> inputs);

// Why a directory must not be made at `path`.
Outcome refuse_to_fill(const std::string& path, const std::string& hint);

// Whether two names are one place, whether or not there is something.
bool same_place(const std::string& a, const std::string& b);

}  // namespace awdit::cli
