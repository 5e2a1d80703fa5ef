// Our tables on a MariaDB server: making them, filling them, and knowing when
// another server has got them.
#pragma once

#include <cstdint>

#include "driver/driver.h"
#include "driver/mariadb_link.h"

namespace awdit {

// Makes the tables anew and loads the rows. The result is a token that is
// stored behind all of them.
Result<std::uint64_t> reset_mariadb_tables(MariadbLink& link, const Rows& rows);

// Waits until a server that replicates from the first has stored the token, and
// therefore everything before it.
Outcome await_mariadb_tables(MariadbLink& link, std::uint64_t token);

}  // namespace awdit
