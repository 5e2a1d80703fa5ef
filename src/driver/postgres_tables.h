// Our two tables in a server of PostgreSQL's protocol.
#pragma once

#include "base/result.h"
#include "driver/driver.h"
#include "driver/postgres_link.h"

namespace awdit {

// Drops them if they are there, creates them and loads the rows: by COPY, which
// is fastest, or by INSERTs of many rows where COPY is not understood.
Outcome reset_postgres_tables(PostgresLink& link, PostgresProduct product,
                              const Rows& rows);

}  // namespace awdit
