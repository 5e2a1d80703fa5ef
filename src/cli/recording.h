// Making a recording: the database is opened and loaded, the sessions work, and
// the history is put where it belongs.
//
// Sessions append to files of their own in a directory. If the user named a
// file, the directory stands beside it under the name FILE.recording and is
// removed once the file is complete: whatever happens, what was recorded is
// under one of the two names.
//
// All of it is done by a process that another one waits for and tidies up after
// (supervisor.h): a database, or a server, leaves nothing behind.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/console.h"
#include "cli/record_options.h"
#include "cli/workplace.h"
#include "format/format.h"

namespace awdit::cli {

// A recording that is complete. The place of one that nobody named goes with
// it.
struct Recorded {
  std::string path;    // of the history; "": nothing was recorded
  std::string claims;  // the level that the database claims to keep; "": none
  std::optional<Workplace> place;
  // What reading `path` would give, if it is in memory anyway.
  std::optional<Loaded> loaded;
};

// Records, and says so. Returns in a child process, or not at all: see
// supervise(). REQUIRES: there is one thread.
Result<Recorded> record(const RecordPlan& plan, Output& out);

// That memory did not suffice for it.
Error too_much_to_record();

}  // namespace awdit::cli
