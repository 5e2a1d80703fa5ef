// A session's connection to PostgreSQL or to a server of its protocol.
//
// One statement per operation, prepared, executed before the call returns.
// The id of the write is a column of its own in the row that is read. BEGIN and
// COMMIT are plain queries: a proxy recognises them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "driver/driver.h"
#include "driver/postgres_link.h"

namespace awdit {

// What all sessions at one node have in common.
struct PostgresTerms {
  PostgresProduct product = PostgresProduct::postgres;
  std::string level;     // as SQL says it: "REPEATABLE READ"
  bool standby = false;  // takes no writes
  bool asynchronous_commit = false;
  bool sets_deadlock_timeout = false;  // which not everybody may
  // A lock that does not come free so soon is refused; 0: the server's wish.
  unsigned lock_milliseconds = 0;
};

// "repeatable-read" as SQL says it. A standby has no SERIALIZABLE (0A000): the
// best it offers is REPEATABLE READ.
std::string postgres_level(std::string_view promise, bool standby);

// REQUIRES: the link is fresh. An error if the tables are not there.
Result<std::unique_ptr<Connection>> make_postgres_connection(
    std::unique_ptr<PostgresLink> link, const PostgresTerms& terms);

}  // namespace awdit
