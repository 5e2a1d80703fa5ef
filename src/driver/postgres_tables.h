// Our two tables in a server of PostgreSQL's protocol.
//
// A comment on each says that it is ours. A table of that name without it is
// somebody's: it is neither dropped nor emptied, and the run is refused. Only
// one run at a time may use them: an advisory lock of the server, which goes
// with the connection that holds it, says which.
#pragma once

#include "base/result.h"
#include "driver/driver.h"
#include "driver/postgres_link.h"

namespace awdit {

// Drops them if they are there, creates them and loads the rows: by COPY, which
// is fastest, or by INSERTs of many rows where COPY is not understood. An error
// if one of that name is not ours.
Outcome reset_postgres_tables(PostgresLink& link, PostgresProduct product,
                              const Rows& rows);

// Drops them if they are there and ours.
Outcome drop_postgres_tables(PostgresLink& link);

// Locks them for as long as the link lives, without waiting; the error says who
// has them. Products that do not know such locks are not locked.
Outcome lock_postgres_tables(PostgresLink& link, PostgresProduct product);
// To be called before the link is closed: a server takes its time to notice.
void unlock_postgres_tables(PostgresLink& link);

}  // namespace awdit
