// Values that nobody wrote, but for somebody in another file.
//
// A recorder that keeps a file per client leaves many; whoever checks them one
// by one finds that most values come out of thin air, and no level holds. Then
// it is worth a look whether the files beside this one have them.
// Effort is bounded: a few files, some megabytes, and only if there are such
// reads at all.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "check/check.h"
#include "format/format.h"

namespace awdit::cli {

// A sentence for the user if some value that was read and never written here is
// written in another file: one of `all` that is not among `paths`, which are
// this history; or, where there is no other, one beside the first of `paths`
// whose name ends alike.
std::optional<std::string> found_in_siblings(const Loaded& loaded,
                                             const Report& report,
                                             std::span<const std::string> paths,
                                             std::span<const std::string> all,
                                             unsigned threads);

}  // namespace awdit::cli
