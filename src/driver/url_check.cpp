#include "driver/url_check.h"

#include <algorithm>

namespace awdit {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// Where the part with user, password and hosts begins; kNone: it is no URL.
std::size_t authority_of(std::string_view url, std::size_t& end) {
  const std::size_t scheme = url.find("://");
  if (scheme == kNone) return kNone;
  end = std::min(url.find('/', scheme + 3), url.size());
  return scheme + 3;
}

// Of host, host:port, [address] and [address]:port.
bool has_odd_port(std::string_view host) {
  const std::size_t bracket = host.find(']');
  if (host.starts_with('[') && bracket != kNone) {
    host.remove_prefix(bracket + 1);
  }
  const std::size_t colon = host.find(':');
  return colon != kNone &&
         host.substr(colon + 1).find_first_not_of("0123456789") != kNone;
}

}  // namespace

Outcome check_url(std::string_view url, std::string_view remedy) {
  std::size_t end = 0;
  const std::size_t start = authority_of(url, end);
  if (start == kNone) return std::nullopt;
  const std::string hint =
      "Write @ as %40, / as %2F, : as %3A and % as %25 in a password, or put "
      "it into " +
      std::string(remedy) + ".";
  if (url.find('@', end) != kNone) {
    return Error{.where = "--db",
                 .message =
                     "the URL has an @ behind its first /, so that its "
                     "password cannot be told from the rest",
                 .hint = hint};
  }
  std::string_view hosts = url.substr(start, end - start);
  // A parameter may follow at once.
  hosts = hosts.substr(hosts.rfind('@') + 1);
  hosts = hosts.substr(0, hosts.find('?'));
  while (!hosts.empty()) {
    const std::size_t comma = hosts.find(',');
    if (has_odd_port(hosts.substr(0, comma))) {
      return Error{.where = "--db",
                   .message = "the URL's port is not a number",
                   .hint = hint};
    }
    hosts.remove_prefix(comma == kNone ? hosts.size() : comma + 1);
  }
  return std::nullopt;
}

std::string escape_user_part(std::string_view url) {
  std::size_t end = 0;
  const std::size_t start = authority_of(url, end);
  if (start == kNone) return std::string(url);
  const std::string_view authority = url.substr(start, end - start);
  const std::size_t last = authority.rfind('@');
  std::string escaped(url.substr(0, start));
  for (std::size_t i = 0; i < authority.size(); ++i) {
    if (authority[i] == '@' && i != last) {
      escaped += "%40";
    } else {
      escaped += authority[i];
    }
  }
  return escaped += url.substr(end);
}

}  // namespace awdit
