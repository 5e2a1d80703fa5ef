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
// A named file may be somebody's: see sqlite_file.h. Only one run at a time may
// use it: server/file_lock.h.
//
// Source: sqlite.org/{isolation,sharedcache,wal,rescode}.html, SQLite 3.40.
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>

#include "base/temporary_directory.h"
#include "driver/knobs.h"
#include "driver/list_text.h"
#include "driver/rows.h"
#include "driver/sqlite_file.h"
#include "server/server.h"

namespace awdit {
namespace {

using sqlite::bind_bytes;
using sqlite::bind_id;
using sqlite::bind_text;
using sqlite::bytes_of;
using sqlite::error_of;
using sqlite::Handle;
using sqlite::prepare;
using sqlite::Settings;
using sqlite::Statement;

constexpr std::string_view kName = "sqlite";

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
  SqliteDatabase(std::optional<TemporaryDirectory> directory,
                 std::optional<FileLock> lock, Settings settings, bool had_wal,
                 Handle handle)
      : directory_(std::move(directory)),
        lock_(std::move(lock)),
        settings_(std::move(settings)),
        had_wal_(had_wal),
        handle_(std::move(handle)) {}

  ~SqliteDatabase() override {
    // Nobody else is connected any more. Without a write-ahead log this also
    // takes the journal's file away.
    if (directory_ || dropped_ || (had_wal_ && *settings_.wal)) return;
    sqlite::execute(handle_.get(), had_wal_ ? "PRAGMA journal_mode=WAL"
                                            : "PRAGMA journal_mode=DELETE");
  }

  std::string describe() const override {
    return fmt::format("SQLite {}, {}, {}, {}sync {}", sqlite3_libversion(),
                       *settings_.wal ? "write-ahead log" : "rollback journal",
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
    return sqlite::make_tables(handle_.get(), settings_.path, rows);
  }

  // Also the file, if it was not there before.
  Outcome drop() override {
    if (directory_) return std::nullopt;
    if (Outcome failed = sqlite::drop_tables(handle_.get(), settings_.path)) {
      return failed;
    }
    if (!lock_->created() || !sqlite::is_empty(handle_.get())) {
      return std::nullopt;
    }
    dropped_ = true;
    // That takes the journal's files along.
    sqlite::execute(handle_.get(), "PRAGMA journal_mode=DELETE");
    handle_.reset();
    std::error_code trouble;
    std::filesystem::remove(settings_.path, trouble);
    if (!trouble) return std::nullopt;
    return Error{.where = settings_.path,
                 .message = "cannot be removed: " + trouble.message()};
  }

  Result<std::unique_ptr<Connection>> connect(unsigned, unsigned) override {
    auto handle = sqlite::open(settings_);
    if (!handle) return handle.error();
    sqlite3* const raw = handle->get();
    auto connection =
        std::make_unique<SqliteConnection>(std::move(*handle), settings_);
    if (!connection->ready()) return error_of(raw, settings_.path);
    return std::unique_ptr<Connection>(std::move(connection));
  }

 private:
  const std::optional<TemporaryDirectory> directory_;  // goes last
  const std::optional<FileLock> lock_;  // goes after all connections
  const Settings settings_;
  const bool had_wal_;    // what the file shall have again in the end
  bool dropped_ = false;  // with the file
  // Keeps a shared cache alive while no session is connected.
  Handle handle_;
};

}  // namespace

Result<std::unique_ptr<Database>> open_sqlite(const DatabaseOptions& options) {
  if (Outcome wrong = check_knobs(options, kName)) return *wrong;
  Settings settings;
  settings.path = behind_scheme(options.urls.front());
  settings.shared = wanted_level(options, kName).name == "read-uncommitted";
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
  std::optional<FileLock> lock;
  if (!directory) {
    auto taken = FileLock::take(settings.path);
    if (!taken) return taken.error();
    lock.emplace(std::move(*taken));
  }
  std::optional<bool> journal;
  if (std::any_of(options.knobs.begin(), options.knobs.end(),
                  [](const auto& set) { return set.first == "journal"; })) {
    journal = knob(options, kName, "journal") == "wal";
  }
  auto opened = sqlite::open_first(settings, journal, lock && !lock->created());
  if (!opened) {
    if (lock && lock->created()) ::unlink(settings.path.c_str());
    return opened.error();
  }
  return std::unique_ptr<Database>(std::make_unique<SqliteDatabase>(
      std::move(directory), std::move(lock), std::move(settings),
      opened->had_wal, std::move(opened->handle)));
}

}  // namespace awdit
