#include "server/account.h"

#include <pwd.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace awdit {
namespace {

std::optional<Account> account_of(const std::string& name) {
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> texts(1 << 14);
  if (getpwnam_r(name.c_str(), &entry, texts.data(), texts.size(), &found) !=
          0 ||
      found == nullptr || found->pw_uid == 0) {
    return std::nullopt;
  }
  return Account{.user = found->pw_uid, .group = found->pw_gid, .name = name};
}

}  // namespace

std::optional<Account> unprivileged_account(
    std::span<const std::string_view> names) {
  if (geteuid() != 0) return std::nullopt;
  for (std::string_view name : names) {
    if (auto account = account_of(std::string(name))) return account;
  }
  return account_of("nobody");
}

}  // namespace awdit
