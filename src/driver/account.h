// Whom a server that we start runs as.
//
// Servers refuse to run as root, or should. So if we are root, they get an
// account that may nothing; if we are not, they run as we do.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace awdit {

struct Account {
  unsigned user = 0;   // uid_t
  unsigned group = 0;  // gid_t
  std::string name;
};

// The first of `names` that exists ("nobody" is tried last), if we are root;
// nothing if we are not, or if there is none.
std::optional<Account> unprivileged_account(
    std::span<const std::string_view> names);

}  // namespace awdit
