// SQLite, inside this process: one connection per session.
//
// It promises serializability, by letting one transaction write at a time. A
// transaction that has read and then wants to write while another writes, or
// after another has written, is told so at once (SQLITE_BUSY, also called
// SQLITE_BUSY_SNAPSHOT) and must begin anew: waiting could not help it.
//
// The level read-uncommitted lets all connections share one cache and read what
// others have not committed, and may take back: a real database with dirty
// reads, to see that a checker finds them. There locks of tables take the place
// of locks of the file (SQLITE_LOCKED_SHAREDCACHE); no busy handler waits for
// them, so we ask again.
//
// Source: sqlite.org/{isolation,sharedcache,wal,rescode}.html, SQLite 3.40.
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "driver/knobs.h"
#include "driver/list_text.h"
#include "driver/rows.h"
#include "base/temporary_directory.h"

namespace awdit {
namespace {

constexpr std::string_view kName = "sqlite";

struct Settings {
  std::string path;
  bool shared = false;  // one cache, read_uncommitted
  bool wal = true;
  bool immediate = false;
  bool sync = false;
  std::chrono::milliseconds patience{0};
};

struct Close {
  void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
};
using Handle = std::unique_ptr<sqlite3, Close>;
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

// -- statements ---------------------------------------------------------------

// Prepared on a handle; nullptr with the reason in the handle.
Statement prepare(sqlite3* handle, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v3(handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement,
                     nullptr);
  return Statement(statement);
}

// The texts must live until the statement has been run.
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

// Steps, and asks again as long as a lock of the shared cache is in the way.
int step(sqlite3_stmt* statement, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::chrono::microseconds pause{50};
  while (true) {
    const int code = sqlite3_step(statement);
    const bool locked = code == SQLITE_LOCKED_SHAREDCACHE;
    if (!locked || std::chrono::steady_clock::now() > deadline) return code;
    sqlite3_reset(statement);
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(2000));
  }
}

Error error_of(sqlite3* handle, const std::string& path) {
  return Error{.where = path, .message = sqlite3_errmsg(handle)};
}

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
  const std::string pragmas = fmt::format(
      "PRAGMA journal_mode={}; PRAGMA synchronous={}; PRAGMA "
      "read_uncommitted={}",
      settings.wal ? "WAL" : "TRUNCATE", !settings.sync ? "OFF" : "FULL",
      settings.shared ? 1 : 0);
  if (sqlite3_exec(raw, pragmas.c_str(), nullptr, nullptr, nullptr)) {
    return error_of(raw, settings.path);
  }
  return handle;
}

// -- a session ----------------------------------------------------------------

class SqliteConnection final : public Connection {
 public:
  SqliteConnection(Handle handle, const Settings& settings)
      : handle_(std::move(handle)),
        settings_(settings),
        begin_(prepare(handle_.get(), "BEGIN DEFERRED")),
        begin_writing_(prepare(handle_.get(), settings.immediate
                                                  ? "BEGIN IMMEDIATE"
                                                  : "BEGIN DEFERRED")),
        commit_(prepare(handle_.get(), "COMMIT")),
        rollback_(prepare(handle_.get(), "ROLLBACK")),
        read_(prepare(handle_.get(),
                      "SELECT wid, payload FROM awdit_kv WHERE k = ?1")),
        write_(prepare(handle_.get(),
                       "INSERT INTO awdit_kv (k, wid, payload) "
                       "VALUES (?1, ?2, ?3) ON CONFLICT (k) DO UPDATE SET "
                       "wid = excluded.wid, payload = excluded.payload")),
        append_(prepare(handle_.get(),
                        "INSERT INTO awdit_lists (k, elements) "
                        "VALUES (?1, ?2) ON CONFLICT (k) DO UPDATE SET "
                        "elements = elements || ',' || excluded.elements")),
        read_list_(prepare(handle_.get(),
                           "SELECT elements FROM awdit_lists WHERE k = ?1")) {}

  // Whether the tables are as the statements want them.
  bool ready() const { return read_ && write_ && append_ && read_list_; }

  Answer begin(bool read_only) override {
    return execute(read_only ? *begin_ : *begin_writing_);
  }

  Answer read(std::string_view key, Content& content) override {
    bind_text(read_.get(), 1, key);
    return execute(*read_, [&](sqlite3_stmt* row) {
      content.id = static_cast<WriteId>(sqlite3_column_int64(row, 0));
      content.payload = bytes_of(row, 1);
      return true;
    });
  }

  Answer write(std::string_view key, WriteId id,
               std::string_view payload) override {
    bind_text(write_.get(), 1, key);
    bind_id(write_.get(), 2, id);
    bind_bytes(write_.get(), 3, payload);
    return execute(*write_);
  }

  Answer append(std::string_view key, WriteId element) override {
    const std::string text = std::to_string(element);
    bind_text(append_.get(), 1, key);
    bind_text(append_.get(), 2, text);
    return execute(*append_);
  }

  Answer read_list(std::string_view key,
                   std::vector<WriteId>& elements) override {
    elements.clear();
    bind_text(read_list_.get(), 1, key);
    return execute(*read_list_, [&](sqlite3_stmt* row) {
      return parse_list(bytes_of(row, 0), elements);
    });
  }

  Answer commit() override {
    const Answer answer = execute(*commit_);
    // The disk failed in the middle of it: what the next reader finds is
    // settled by recovery.
    if (answer == Answer::fatal && last_ == SQLITE_IOERR) return Answer::lost;
    // Else the transaction is still open (busy), and rollback() ends it.
    return answer;
  }

  Answer rollback() override {
    // Some failures have ended the transaction already.
    if (sqlite3_get_autocommit(handle_.get()) != 0) return Answer::done;
    return execute(*rollback_);
  }

  const Trouble& trouble() const override { return trouble_; }

 private:
  // Runs to the end. `take` gets the only row if there is one; false: it is not
  // what we wrote. Without a row where one was asked for: absent.
  template <typename Take>
  Answer execute(sqlite3_stmt& statement, const Take& take) {
    const int code = step(&statement, settings_.patience);
    Answer answer = Answer::absent;
    if (code == SQLITE_ROW) {
      answer = take(&statement) ? Answer::done : foreign();
    } else if (code != SQLITE_DONE) {
      answer = conclude(code);
    }
    sqlite3_reset(&statement);
    return answer;
  }
  Answer execute(sqlite3_stmt& statement) {
    const int code = step(&statement, settings_.patience);
    const Answer answer = code == SQLITE_DONE ? Answer::done : conclude(code);
    sqlite3_reset(&statement);
    return answer;
  }

  Answer conclude(int code) {
    last_ = code & 0xFF;
    trouble_.text = sqlite3_errmsg(handle_.get());
    switch (last_) {
      case SQLITE_BUSY:
        trouble_.code = code == SQLITE_BUSY_SNAPSHOT ? "busy-snapshot" : "busy";
        return Answer::refused;
      case SQLITE_LOCKED:
        trouble_.code = "locked";
        return Answer::refused;
      default:
        trouble_.code = fmt::format("sqlite-{}", code);
        return Answer::fatal;
    }
  }

  Answer foreign() {
    trouble_ = {.code = "foreign", .text = "a list that awdit did not write"};
    return Answer::fatal;
  }

  const Handle handle_;  // goes last
  const Settings& settings_;
  const Statement begin_;
  const Statement begin_writing_;
  const Statement commit_;
  const Statement rollback_;
  const Statement read_;
  const Statement write_;
  const Statement append_;
  const Statement read_list_;
  int last_ = SQLITE_OK;
  Trouble trouble_;
};

// -- the database -------------------------------------------------------------

class SqliteDatabase final : public Database {
 public:
  SqliteDatabase(std::optional<TemporaryDirectory> directory, Settings settings,
                 Handle handle)
      : directory_(std::move(directory)),
        settings_(std::move(settings)),
        handle_(std::move(handle)) {}

  std::string describe() const override {
    return fmt::format("SQLite {}, {}, {}, {}sync {}", sqlite3_libversion(),
                       settings_.wal ? "write-ahead log" : "rollback journal",
                       settings_.shared ? "shared cache" : "private caches",
                       settings_.immediate ? "BEGIN IMMEDIATE, " : "",
                       settings_.sync ? "on" : "off");
  }

  std::string reported_level() const override {
    const Statement asked = prepare(handle_.get(), "PRAGMA read_uncommitted");
    if (!asked || sqlite3_step(asked.get()) != SQLITE_ROW) return "unknown";
    return fmt::format("read_uncommitted={}",
                       sqlite3_column_int(asked.get(), 0));
  }

  Outcome reset(const Rows& rows) override {
    // Other tables of the file are not ours to touch.
    constexpr const char* kTables =
        "BEGIN IMMEDIATE;"
        "DROP TABLE IF EXISTS awdit_kv; DROP TABLE IF EXISTS awdit_lists;"
        "CREATE TABLE awdit_kv (k TEXT PRIMARY KEY, wid INTEGER NOT NULL,"
        " payload BLOB NOT NULL) WITHOUT ROWID;"
        "CREATE TABLE awdit_lists (k TEXT PRIMARY KEY, elements TEXT NOT NULL)"
        " WITHOUT ROWID;";
    if (sqlite3_exec(handle_.get(), kTables, nullptr, nullptr, nullptr)) {
      return give_up();
    }
    Statement insert = prepare(handle_.get(),
                               "INSERT INTO awdit_kv (k, wid, payload) "
                               "VALUES (?1, 0, ?2)");
    if (!insert) return give_up();
    bool loaded = true;
    rows([&](std::string_view key, std::string_view payload) {
      if (!loaded) return;
      bind_text(insert.get(), 1, key);
      bind_bytes(insert.get(), 2, payload);
      loaded = sqlite3_step(insert.get()) == SQLITE_DONE;
      sqlite3_reset(insert.get());
    });
    if (!loaded ||
        sqlite3_exec(handle_.get(), "COMMIT", nullptr, nullptr, nullptr)) {
      return give_up();
    }
    return std::nullopt;
  }

  Result<std::unique_ptr<Connection>> connect(unsigned, unsigned) override {
    auto handle = open(settings_);
    if (!handle) return handle.error();
    sqlite3* const raw = handle->get();
    auto connection =
        std::make_unique<SqliteConnection>(std::move(*handle), settings_);
    if (!connection->ready()) return error_of(raw, settings_.path);
    return std::unique_ptr<Connection>(std::move(connection));
  }

 private:
  Error give_up() {
    Error error = error_of(handle_.get(), settings_.path);
    sqlite3_exec(handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    return error;
  }

  const std::optional<TemporaryDirectory> directory_;  // goes last
  const Settings settings_;
  // Keeps a shared cache alive while no session is connected.
  const Handle handle_;
};

}  // namespace

Result<std::unique_ptr<Database>> open_sqlite(const DatabaseOptions& options) {
  if (Outcome wrong = check_knobs(options, kName)) return *wrong;
  Settings settings;
  settings.path = behind_scheme(options.urls.front());
  settings.shared = wanted_level(options, kName).name == "read-uncommitted";
  settings.wal = knob(options, kName, "journal") == "wal";
  settings.immediate = knob(options, kName, "begin") == "immediate";
  settings.sync = knob(options, kName, "sync") == "on";
  // Longer than any wait that makes sense, shorter than what looks like death.
  settings.patience = std::chrono::milliseconds(200) * options.timeout_seconds;
  if (settings.shared && sqlite3_compileoption_used("OMIT_SHARED_CACHE") != 0) {
    return Error{.message =
                     "this SQLite was built without shared caches, "
                     "which read-uncommitted needs"};
  }
  std::optional<TemporaryDirectory> directory;
  if (settings.path.empty()) {
    auto made = TemporaryDirectory::make();
    if (!made) return made.error();
    directory = std::move(*made);
    settings.path = directory->file("awdit.sqlite");
  }
  auto handle = open(settings);
  if (!handle) return handle.error();
  // Where files cannot be mapped, SQLite stays with the other journal.
  const Statement mode = prepare(handle->get(), "PRAGMA journal_mode");
  if (!mode || sqlite3_step(mode.get()) != SQLITE_ROW) {
    return error_of(handle->get(), settings.path);
  }
  if ((bytes_of(mode.get(), 0) == "wal") != settings.wal) {
    return Error{.where = settings.path,
                 .message = "the journal cannot be changed to the one wanted"};
  }
  return std::unique_ptr<Database>(std::make_unique<SqliteDatabase>(
      std::move(directory), std::move(settings), std::move(*handle)));
}

}  // namespace awdit
