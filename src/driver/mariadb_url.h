// Where MariaDB servers are, as typed after --db.
//
//   mariadb://user:password@host:3306/database?ssl-ca=/ca.pem&ssl-verify=on
//   galera://user@one,two:3307,three/database
//   mysql://user@/database?socket=/run/mysqld/mysqld.sock
//
// Parts may be missing, and hold %20 and the like: what is not said comes from
// the environment (MYSQL_PWD) and from my.cnf, as for every other client.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace awdit {

struct MariadbAddress {
  std::string host;  // "": as my.cnf says, or this machine
  unsigned port = 0;
  std::string socket;
  std::string user;
  std::string password;
  std::string database;
  std::string tls_authority;  // ssl-ca: a file of certificates
  std::string tls_certificate;
  std::string tls_key;
  bool tls = false;         // must be
  bool tls_verify = false;  // and the server's name must be in its certificate
  bool option_files = true;

  // For people; without credentials.
  std::string text() const;
};

// One address per host. The error does not quote the URL, which may hold a
// password.
Result<std::vector<MariadbAddress>> parse_mariadb_url(std::string_view url);

}  // namespace awdit
