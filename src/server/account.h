// Whom a server that we start runs as.
//
// Servers refuse to run as root, or should. So if we are root, they get an
// unprivileged account; if we are not, they run as we do.
//
// That account is no friend of ours: others may use it, and a server that was
// broken into runs as it. Root never opens, makes or removes anything by a name
// in a directory that the account owns (base/temporary_directory.h).
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/temporary_directory.h"

namespace awdit {

// The first of `names` that exists ("nobody" is tried last), if we are root;
// nothing if we are not, or if there is none.
std::optional<Account> unprivileged_account(
    std::span<const std::string_view> names);

}  // namespace awdit
