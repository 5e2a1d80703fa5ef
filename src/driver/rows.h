// What opens the database of each driver: a function per file. Private to
// driver/.
#pragma once

#include "driver/driver.h"

namespace awdit {

using OpenDatabase =
    Result<std::unique_ptr<Database>>(const DatabaseOptions& options);

OpenDatabase open_rocksdb;
OpenDatabase open_sqlite;
OpenDatabase open_postgres;
OpenDatabase open_mariadb;
OpenDatabase open_simulated;
OpenDatabase open_exec;

}  // namespace awdit
