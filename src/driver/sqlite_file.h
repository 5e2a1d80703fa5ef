// An SQLite file: handles, statements, journals, and which of its tables are
// ours. Private to driver/.
//
// A file that was there before is somebody's. Its journal stays what it is
// (write-ahead log or not, which is written down in the file) unless another
// one is asked for, and then it gets its own back in the end. Tables called
// like ours are ours only if they were made by the very words that we use,
// which SQLite keeps.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "driver/driver.h"

struct sqlite3;
struct sqlite3_stmt;

namespace awdit::sqlite {

struct Settings {
  std::string path;
  bool shared = false;  // one cache, read_uncommitted
  // Empty: as the file has it.
  std::optional<bool> wal = true;
  bool immediate = false;
  bool sync = false;
  std::chrono::milliseconds patience{0};
};

struct Close {
  void operator()(sqlite3* handle) const;
  void operator()(sqlite3_stmt* handle) const;
};
using Handle = std::unique_ptr<sqlite3, Close>;
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

// -- statements ---------------------------------------------------------------

// Prepared on a handle; nullptr with the reason in the handle.
Statement prepare(sqlite3* handle, const char* sql);
bool execute(sqlite3* handle, const char* sql);

// The texts must live until the statement has been run.
void bind_text(sqlite3_stmt* statement, int place, std::string_view text);
void bind_bytes(sqlite3_stmt* statement, int place, std::string_view bytes);
void bind_id(sqlite3_stmt* statement, int place, WriteId id);
std::string_view bytes_of(sqlite3_stmt* row, int column);

// What is wrong with the handle.
Error error_of(sqlite3* handle, const std::string& path);

// -- opening ------------------------------------------------------------------

// A handle as the settings say.
Result<Handle> open(const Settings& settings);

struct Opened {
  Handle handle;
  bool had_wal;  // before we came; of a file of ours: has
};
// The first handle: settles which journal is used, in Settings::wal. What the
// file has, if it is somebody's (`foreign`) and nothing else is `asked` for.
Result<Opened> open_first(Settings& settings, std::optional<bool> asked,
                          bool foreign);

// -- our tables ---------------------------------------------------------------

// Makes them anew and loads the rows. An error if there is one of that name
// that is not ours.
Outcome make_tables(sqlite3* handle, const std::string& path, const Rows& rows);
// Drops them if they are ours.
Outcome drop_tables(sqlite3* handle, const std::string& path);
// Whether nobody has put anything into the file.
bool is_empty(sqlite3* handle);

}  // namespace awdit::sqlite
