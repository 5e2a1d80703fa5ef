// A session with a MariaDB server.
//
// Writes are upserts, one statement each, executed at once. Everything that is
// asked for more than once is a prepared statement. COMMIT is sent as text: a
// proxy may look for it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "driver/driver.h"
#include "driver/mariadb_link.h"

namespace awdit {

// What is said to begin a transaction.
struct MariadbBegin {
  std::string writing = "START TRANSACTION";
  std::string reading = "START TRANSACTION READ ONLY";
};

// REQUIRES: our tables are there, or the result is an error. `gone` is called
// when the session ends.
Result<std::unique_ptr<Connection>> make_mariadb_connection(
    MariadbLink link, const MariadbBegin& begin, std::function<void()> gone);

}  // namespace awdit
