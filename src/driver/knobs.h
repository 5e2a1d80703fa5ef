// What DatabaseOptions say, with the driver's row for what they do not. Private
// to driver/.
#pragma once

#include <string>
#include <string_view>

#include "driver/driver.h"

namespace awdit {

// An error if a knob is not one of the driver's, or has a value that it does
// not list. A value in capitals ("10|PERCENT") stands for what the driver
// judges itself.
Outcome check_knobs(const DatabaseOptions& options, std::string_view driver);

// The value of a knob, or the first that the driver lists. REQUIRES:
// check_knobs found nothing, and the driver has it.
std::string_view knob(const DatabaseOptions& options, std::string_view driver,
                      std::string_view name);

// The level that is wanted: the driver's first unless another is.
const Promise& wanted_level(const DatabaseOptions& options,
                            std::string_view driver);

// Whether a knob was set, be it to its default.
bool is_set(const DatabaseOptions& options, std::string_view name);

// Whether replies to COMMIT shall be lost.
bool drops_commits(const DatabaseOptions& options);

// "repeatable-read" as SQL says it: "REPEATABLE READ"; as servers report it,
// words may be apart by another character.
std::string sql_level(std::string_view promise, char gap = ' ');

// What follows "scheme:" in an argument of --db: "" in "sqlite".
std::string_view behind_scheme(std::string_view url);

}  // namespace awdit
