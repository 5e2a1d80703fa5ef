// Reads of values that nobody wrote, but that look like what a key has before
// anybody writes it: a recorder that did not say so gets told how to.
#pragma once

#include <optional>
#include <string>

#include "check/check.h"
#include "format/format.h"

namespace awdit::cli {

// A sentence for the user if some read returned 0, "", null or nothing out of
// thin air.
std::optional<std::string> initial_value_hint(const Loaded& loaded,
                                              const Report& report);

}  // namespace awdit::cli
