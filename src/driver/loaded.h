// Drivers that are files of their own, loaded when they are asked for. Private
// to driver/.
//
// Idea: libpq, MariaDB's and RocksDB's libraries draw in forty others, and most
// commands need none of them: to link them took each run 5 ms and 14 MB before
// it began. So such a driver is ../lib/awdit/NAME.so, seen from the directory
// of the program, in the build tree as where it is installed; nothing else, be
// it an environment variable or the working directory, says where.
// What a driver needs of ours the program lends it (lent.list), so that nothing
// is there twice; hence the two must be of one build. Their stamps, which know
// all sources that they share, tell whether they are.
// What is loaded stays.
#pragma once

#include "driver/driver.h"

namespace awdit {

// What the file exports, under the name kLoadedDriver.
struct LoadedDriver {
  const char* stamp;
  Result<std::unique_ptr<Database>> (*open)(const DatabaseOptions& options);
};
inline constexpr char kLoadedDriver[] = "awdit_driver";

// Loads the driver that the first URL means, and opens the database.
// REQUIRES: its row says that it was built.
Result<std::unique_ptr<Database>> load_and_open(const DatabaseOptions& options);

}  // namespace awdit

// Of this build; the program's own, and each driver's.
extern "C" const char awdit_stamp[];
