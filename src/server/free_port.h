// A TCP port of this machine that nobody uses. Somebody may take it before the
// caller does: whoever starts a server on it should be ready to try another.
#pragma once

#include "base/result.h"

namespace awdit {

// Of 127.0.0.1.
Result<unsigned> free_port();

}  // namespace awdit
