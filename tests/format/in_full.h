// A file as a format reads it, in full: everything that the place of a cut
// between two pieces might disturb.
#pragma once

#include <string>
#include <string_view>

#include "format/format.h"

namespace awdit {

// The history with its lines, times, orders, labels and warnings, one text for
// equal ones; or the error.
std::string in_full(const Format& format, std::string_view text,
                    unsigned threads);

}  // namespace awdit
