// Our tables on a MariaDB server: making them, filling them, and knowing when
// another server has got them.
//
// A comment on each says that it is ours. A table of that name without it is
// somebody's: it is not dropped, and the run is refused. Only one run at a time
// may use them: a lock of the server (GET_LOCK), which goes with the connection
// that holds it, says which.
#pragma once

#include <cstdint>

#include "driver/driver.h"
#include "driver/mariadb_link.h"

namespace awdit {

// Makes the tables anew and loads the rows. The result is a token that is
// stored behind all of them. An error if one of that name is not ours.
Result<std::uint64_t> reset_mariadb_tables(MariadbLink& link, const Rows& rows);

// Drops them if they are there and ours.
Outcome drop_mariadb_tables(MariadbLink& link);

// Locks them for as long as the link lives, without waiting; the error says who
// has them. The lock is this server's: of a cluster, those who ask the same
// node meet. Servers that do not know such locks (1235) are not locked.
Outcome lock_mariadb_tables(MariadbLink& link);
// To be called before the link is closed: a server takes its time to notice.
void unlock_mariadb_tables(MariadbLink& link);

// Waits until a server that replicates from the first has stored the token, and
// therefore everything before it.
Outcome await_mariadb_tables(MariadbLink& link, std::uint64_t token);

}  // namespace awdit
