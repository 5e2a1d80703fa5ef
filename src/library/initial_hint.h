// Reads of values that nobody wrote, but that look like what a key has before
// anybody writes it: a recorder that did not say so gets told how to. Part of
// library/library.h.
#pragma once

#include <optional>
#include <string>

#include "check/check.h"
#include "format/format.h"

namespace awdit {

// A sentence for the user if some read returned 0, "", null or nothing out of
// thin air.
// Of a history in that format.
std::optional<std::string> initial_value_hint(const History& history,
                                              const Format& format,
                                              const Report& report);

}  // namespace awdit
