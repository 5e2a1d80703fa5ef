#include "driver/mariadb_url.h"

#include <charconv>

#include "driver/url_check.h"

namespace awdit {
namespace {

// Takes what is before the separator off the text; all of it if there is none.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

Error wrong(std::string message) {
  return Error{.where = "--db",
               .message = std::move(message),
               .hint =
                   "A URL looks like "
                   "mariadb://user:password@host:3306/database."};
}

// False if a % is not followed by two hexadecimal digits.
bool decode(std::string_view text, std::string& into) {
  into.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      into += text[i];
      continue;
    }
    unsigned code = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (error != std::errc() || digits.size() != 2 ||
        end != digits.data() + 2 || code == 0) {
      return false;
    }
    into += static_cast<char>(code);
    i += 2;
  }
  return true;
}

// False if it is neither.
bool set_switch(std::string_view value, bool& place) {
  place = value == "on" || value == "1" || value == "true";
  return place || value == "off" || value == "0" || value == "false";
}

Outcome set_parameter(MariadbAddress& address, std::string_view name,
                      const std::string& value) {
  if (name == "socket") {
    address.socket = value;
  } else if (name == "ssl-ca") {
    address.tls_authority = value;
  } else if (name == "ssl-cert") {
    address.tls_certificate = value;
  } else if (name == "ssl-key") {
    address.tls_key = value;
  } else if (name == "ssl" || name == "ssl-verify") {
    bool& place = name == "ssl" ? address.tls : address.tls_verify;
    if (!set_switch(value, place)) {
      return wrong(std::string(name) + " of the URL must be on or off");
    }
  } else {
    return wrong("the URL has an unknown parameter '" + std::string(name) +
                 "'; known: socket, ssl, ssl-ca, ssl-cert, ssl-key, "
                 "ssl-verify");
  }
  return std::nullopt;
}

Outcome set_host(MariadbAddress& address, std::string_view host) {
  std::string_view port;
  if (host.starts_with('[')) {  // an IPv6 address
    host.remove_prefix(1);
    address.host = take_until(host, ']');
    if (host.starts_with(':')) port = host.substr(1);
  } else {
    address.host = take_until(host, ':');
    port = host;
  }
  if (port.empty()) return std::nullopt;
  const auto [end, error] =
      std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size() ||
      address.port == 0 || address.port > 65535) {
    return wrong("the URL's port is not one from 1 to 65535");
  }
  return std::nullopt;
}

}  // namespace

std::string MariadbAddress::text() const {
  if (!socket.empty()) return socket;
  std::string text = host.empty() ? "localhost" : host;
  if (port != 0) text += ":" + std::to_string(port);
  return text;
}

Result<std::vector<MariadbAddress>> parse_mariadb_url(std::string_view url) {
  MariadbAddress shared;
  const std::size_t scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) {
    if (url.find(':') != std::string_view::npos) {
      return wrong("the URL has no '//' behind its scheme");
    }
    return std::vector<MariadbAddress>{shared};  // "mariadb": as my.cnf says
  }
  if (Outcome odd = check_url(url, "MYSQL_PWD or my.cnf")) return *odd;
  url.remove_prefix(scheme_end + 3);
  std::string_view path = url;
  std::string_view authority = take_until(path, '/');
  std::string_view query = path;
  const std::string_view database = take_until(query, '?');
  if (!decode(database, shared.database)) {
    return wrong("the URL's database has an odd %");
  }
  while (!query.empty()) {
    std::string_view value = take_until(query, '&');
    const std::string_view name = take_until(value, '=');
    std::string decoded;
    if (!decode(value, decoded)) return wrong("the URL has an odd %");
    if (Outcome failed = set_parameter(shared, name, decoded)) return *failed;
  }
  // Passwords may hold an @ that somebody forgot to write as %40.
  if (const std::size_t at = authority.rfind('@');
      at != std::string_view::npos) {
    std::string_view password = authority.substr(0, at);
    const std::string_view user = take_until(password, ':');
    if (!decode(user, shared.user) || !decode(password, shared.password)) {
      return wrong("the URL's user or password has an odd %");
    }
    authority.remove_prefix(at + 1);
  }
  std::vector<MariadbAddress> addresses;
  do {
    MariadbAddress address = shared;
    if (Outcome failed = set_host(address, take_until(authority, ','))) {
      return *failed;
    }
    addresses.push_back(std::move(address));
  } while (!authority.empty());
  return addresses;
}

}  // namespace awdit
