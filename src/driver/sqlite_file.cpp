#include "driver/sqlite_file.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace awdit::sqlite {

void Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
void Close::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

// -- statements ---------------------------------------------------------------

Statement prepare(sqlite3* handle, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v3(handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement,
                     nullptr);
  return Statement(statement);
}

void bind_text(sqlite3_stmt* statement, int place, std::string_view text) {
  sqlite3_bind_text64(statement, place, text.data() ? text.data() : "",
                      text.size(), SQLITE_STATIC, SQLITE_UTF8);
}
void bind_bytes(sqlite3_stmt* statement, int place, std::string_view bytes) {
  sqlite3_bind_blob64(statement, place, bytes.data() ? bytes.data() : "",
                      bytes.size(), SQLITE_STATIC);
}
void bind_id(sqlite3_stmt* statement, int place, WriteId id) {
  sqlite3_bind_int64(statement, place, static_cast<sqlite3_int64>(id));
}

std::string_view bytes_of(sqlite3_stmt* row, int column) {
  // In this order: the first call may convert.
  const void* bytes = sqlite3_column_blob(row, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(row, column));
  return {static_cast<const char*>(bytes), size};
}

Error error_of(sqlite3* handle, const std::string& path) {
  return Error{.where = path, .message = sqlite3_errmsg(handle)};
}

bool execute(sqlite3* handle, const char* sql) {
  return sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

// -- opening ------------------------------------------------------------------

Result<Handle> open(const Settings& settings) {
  sqlite3* raw = nullptr;
  // A connection is one thread's at a time: it needs no lock.
  const int code = sqlite3_open_v2(
      settings.path.c_str(), &raw,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
          (settings.shared ? SQLITE_OPEN_SHAREDCACHE
                           : SQLITE_OPEN_PRIVATECACHE),
      nullptr);
  Handle handle(raw);
  if (raw == nullptr) {
    return Error{.where = settings.path, .message = sqlite3_errstr(code)};
  }
  if (code != SQLITE_OK) return error_of(raw, settings.path);
  sqlite3_extended_result_codes(raw, 1);
  sqlite3_busy_timeout(raw, static_cast<int>(settings.patience.count()));
  const std::string pragmas =
      fmt::format("PRAGMA synchronous={}; PRAGMA read_uncommitted={}; {}",
                  !settings.sync ? "OFF" : "FULL", settings.shared ? 1 : 0,
                  !settings.wal   ? ""
                  : *settings.wal ? "PRAGMA journal_mode=WAL"
                                  : "PRAGMA journal_mode=TRUNCATE");
  if (!execute(raw, pragmas.c_str())) return error_of(raw, settings.path);
  return handle;
}

namespace {

// Whether the file's journal is a write-ahead log.
Result<bool> has_wal(sqlite3* handle, const std::string& path) {
  const Statement mode = prepare(handle, "PRAGMA journal_mode");
  if (!mode || sqlite3_step(mode.get()) != SQLITE_ROW) {
    return error_of(handle, path);
  }
  return bytes_of(mode.get(), 0) == "wal";
}

}  // namespace

Result<Opened> open_first(Settings& settings, std::optional<bool> asked,
                          bool foreign) {
  settings.wal.reset();
  auto handle = open(settings);
  if (!handle) return handle.error();
  const auto had = has_wal(handle->get(), settings.path);
  if (!had) return had.error();
  settings.wal = asked.value_or(foreign ? *had : true);
  // Closed before another is opened: a journal is changed by those who are
  // alone.
  handle->reset();
  handle = open(settings);
  if (!handle) return handle.error();
  // Where files cannot be mapped, SQLite stays with the other journal.
  const auto has = has_wal(handle->get(), settings.path);
  if (!has) return has.error();
  if (*has != *settings.wal) {
    return Error{.where = settings.path,
                 .message = "the journal cannot be changed to the one wanted"};
  }
  return Opened{std::move(*handle), foreign ? *had : *has};
}

// -- our tables ---------------------------------------------------------------

namespace {

struct Table {
  const char* name;
  const char* made_by;  // SQLite keeps every letter of it
};
constexpr Table kTables[] = {
    {"awdit_kv",
     "CREATE TABLE awdit_kv (/* made by awdit, which may drop it */ k TEXT "
     "PRIMARY KEY, wid INTEGER NOT NULL, payload BLOB NOT NULL) WITHOUT ROWID"},
    {"awdit_lists",
     "CREATE TABLE awdit_lists (/* made by awdit, which may drop it */ k TEXT "
     "PRIMARY KEY, elements TEXT NOT NULL) WITHOUT ROWID"},
};

// An error if there is something of that name that is not ours.
Outcome check_tables(sqlite3* handle, const std::string& path) {
  const Statement made_by = prepare(
      handle, "SELECT sql FROM sqlite_master WHERE name = ?1 COLLATE NOCASE");
  if (!made_by) return error_of(handle, path);
  for (const Table& table : kTables) {
    bind_text(made_by.get(), 1, table.name);
    const int code = sqlite3_step(made_by.get());
    const bool foreign =
        code == SQLITE_ROW && bytes_of(made_by.get(), 0) != table.made_by;
    sqlite3_reset(made_by.get());
    if (foreign) {
      return Error{
          .where = path,
          .message = fmt::format("there is a table {} that awdit did not make; "
                                 "it stays as it is",
                                 table.name),
          .hint = fmt::format("Name another file. If nobody needs the table: "
                              "DROP TABLE {}.",
                              table.name)};
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
      return error_of(handle, path);
    }
  }
  return std::nullopt;
}

bool drop(sqlite3* handle, const Table& table) {
  return execute(handle,
                 fmt::format("DROP TABLE IF EXISTS {}", table.name).c_str());
}

// Ends a transaction that failed; the error is that of before.
Error give_up(sqlite3* handle, const std::string& path) {
  Error error = error_of(handle, path);
  execute(handle, "ROLLBACK");
  return error;
}

// Begins a transaction in which all tables of ours are.
Outcome begin(sqlite3* handle, const std::string& path) {
  if (!execute(handle, "BEGIN IMMEDIATE")) return give_up(handle, path);
  Outcome foreign = check_tables(handle, path);
  if (foreign) execute(handle, "ROLLBACK");
  return foreign;
}

}  // namespace

Outcome make_tables(sqlite3* handle, const std::string& path,
                    const Rows& rows) {
  if (Outcome failed = begin(handle, path)) return failed;
  for (const Table& table : kTables) {
    if (!drop(handle, table) || !execute(handle, table.made_by)) {
      return give_up(handle, path);
    }
  }
  const Statement insert = prepare(
      handle, "INSERT INTO awdit_kv (k, wid, payload) VALUES (?1, 0, ?2)");
  bool loaded = insert != nullptr;
  rows([&](std::string_view key, std::string_view payload) {
    if (!loaded) return;
    bind_text(insert.get(), 1, key);
    bind_bytes(insert.get(), 2, payload);
    loaded = sqlite3_step(insert.get()) == SQLITE_DONE;
    sqlite3_reset(insert.get());
  });
  if (!loaded || !execute(handle, "COMMIT")) return give_up(handle, path);
  return std::nullopt;
}

Outcome drop_tables(sqlite3* handle, const std::string& path) {
  if (Outcome failed = begin(handle, path)) return failed;
  for (const Table& table : kTables) {
    if (!drop(handle, table)) return give_up(handle, path);
  }
  if (!execute(handle, "COMMIT")) return give_up(handle, path);
  return std::nullopt;
}

bool is_empty(sqlite3* handle) {
  const Statement any = prepare(handle, "SELECT 1 FROM sqlite_master LIMIT 1");
  return any && sqlite3_step(any.get()) == SQLITE_DONE;
}

}  // namespace awdit::sqlite
