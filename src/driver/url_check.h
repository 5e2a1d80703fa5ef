// Whether a URL means what its author meant, as far as its password goes.
// Private to driver/.
//
// A / in a password ends the part with the password, and what follows becomes a
// database or a parameter; an @ moves a piece of it into the host. Both would
// be quoted by whoever stumbles over them: so such a URL goes no further.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace awdit {

// An error, without anything of the URL in it, if an @ stands behind the first
// / or a port is not a number. `remedy`: where else passwords may be put.
Outcome check_url(std::string_view url, std::string_view remedy);

// The URL with %40 for every @ but the last that stands before the first /.
std::string escape_user_part(std::string_view url);

}  // namespace awdit
