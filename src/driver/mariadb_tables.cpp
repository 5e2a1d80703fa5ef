#include "driver/mariadb_tables.h"

#include <fmt/format.h>

#include <chrono>
#include <iterator>
#include <random>
#include <thread>

namespace awdit {
namespace {

// Below the smallest max_allowed_packet that servers come with.
constexpr std::size_t kBatchBytes = 512 << 10;

// The comment that makes a table ours.
constexpr std::string_view kMark = "made by awdit, which may drop it";

constexpr const char* kTables[] = {
    "CREATE TABLE awdit_kv (k VARBINARY(250) PRIMARY KEY, wid BIGINT UNSIGNED "
    "NOT NULL, payload LONGBLOB NOT NULL)",
    "CREATE TABLE awdit_lists (k VARBINARY(250) PRIMARY KEY, elements LONGTEXT "
    "CHARACTER SET ascii NOT NULL)",
    "CREATE TABLE awdit_loaded (token BIGINT UNSIGNED PRIMARY KEY)",
};

// Names are short there, and those of databases are not.
constexpr std::string_view kLock = "CONCAT('awdit.', MD5(DATABASE()))";
constexpr unsigned kNotSupported = 1235;

// An error if there is a table of ours that is not.
Outcome check_tables(MariadbLink& link) {
  std::string table;
  if (link.ask(
          fmt::format("SELECT table_name FROM information_schema.tables WHERE "
                      "table_schema = DATABASE() AND table_name IN "
                      "('awdit_kv', 'awdit_lists', 'awdit_loaded') AND "
                      "table_comment <> '{}' ORDER BY table_name LIMIT 1",
                      kMark),
          table) != 0) {
    return link.error();
  }
  if (table.empty()) return std::nullopt;
  Error error = link.error();
  error.message = fmt::format(
      "there is a table {} that awdit did not make; it stays as it is", table);
  error.hint = fmt::format(
      "Use another database. If nobody needs the table: DROP TABLE {}.", table);
  return error;
}

Outcome drop_tables(MariadbLink& link) {
  if (link.query("DROP TABLE IF EXISTS awdit_kv, awdit_lists, awdit_loaded") ==
      0) {
    return std::nullopt;
  }
  return link.error();
}

// Who has the lock; "" if the server does not tell.
std::string owner_of_lock(MariadbLink& link) {
  std::string owner;
  link.ask(fmt::format("SELECT CONCAT('connection ', id, ', user ', user, "
                       "' at ', host, ', for ', time, ' s') FROM "
                       "information_schema.processlist WHERE id = "
                       "IS_USED_LOCK({})",
                       kLock),
           owner);
  if (!owner.empty()) return owner;
  // Those of others may be hidden.
  link.ask(fmt::format("SELECT CONCAT('connection ', IS_USED_LOCK({}))", kLock),
           owner);
  return owner;
}

// A literal of bytes.
void add_bytes(std::string& sql, std::string_view bytes) {
  if (bytes.empty()) {  // X'' is fine, too, but not everywhere
    sql += "''";
    return;
  }
  sql += "0x";
  for (const char c : bytes) {
    fmt::format_to(std::back_inserter(sql), "{:02x}",
                   static_cast<unsigned char>(c));
  }
}

}  // namespace

Result<std::uint64_t> reset_mariadb_tables(MariadbLink& link,
                                           const Rows& rows) {
  if (Outcome foreign = check_tables(link)) return *foreign;
  if (Outcome failed = drop_tables(link)) return *failed;
  for (const char* table : kTables) {
    if (link.query(
            fmt::format("{} ENGINE=InnoDB COMMENT='{}'", table, kMark)) != 0) {
      return link.error();
    }
  }
  const std::string head = "INSERT INTO awdit_kv (k, wid, payload) VALUES ";
  std::string sql = head;
  bool good = true;
  const auto send = [&] {
    if (good && sql.size() > head.size()) good = link.query(sql) == 0;
    sql = head;
  };
  rows([&](std::string_view key, std::string_view payload) {
    sql += sql.size() > head.size() ? ",(" : "(";
    add_bytes(sql, key);
    sql += ",0,";
    add_bytes(sql, payload);
    sql += ")";
    if (sql.size() > kBatchBytes) send();
  });
  send();
  if (!good) return link.error();
  std::random_device device;
  const std::uint64_t token = std::uint64_t{device()} << 32 | device();
  if (link.query(fmt::format("INSERT INTO awdit_loaded VALUES ({})", token)) !=
      0) {
    return link.error();
  }
  return token;
}

Outcome drop_mariadb_tables(MariadbLink& link) {
  if (Outcome foreign = check_tables(link)) return foreign;
  return drop_tables(link);
}

Outcome lock_mariadb_tables(MariadbLink& link) {
  // It does nothing but hold the lock: for a year, if need be.
  link.query("SET SESSION wait_timeout = 31536000");
  std::string got;
  const unsigned failed =
      link.ask(fmt::format("SELECT GET_LOCK({}, 0)", kLock), got);
  if (failed == kNotSupported) return std::nullopt;
  if (failed != 0) return link.error();
  // NULL: there is no database, which others will say better.
  if (got != "0") return std::nullopt;
  const std::string owner = owner_of_lock(link);
  Error error = link.error();
  error.message =
      "another run of awdit uses the tables awdit_* of this database" +
      (owner.empty() ? "" : ": " + owner);
  error.hint = "Wait for it to end, or use another database.";
  return error;
}

void unlock_mariadb_tables(MariadbLink& link) {
  link.query(fmt::format("DO RELEASE_LOCK({})", kLock));
}

Outcome await_mariadb_tables(MariadbLink& link, std::uint64_t token) {
  constexpr std::chrono::seconds kPatience{60};
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  const std::string sql =
      fmt::format("SELECT token FROM awdit_loaded WHERE token = {}", token);
  std::string found;
  // Until then the table may be missing, or an older one.
  while (link.ask(sql, found) != 0 || found.empty()) {
    if (std::chrono::steady_clock::now() > deadline) {
      Error error = link.error();
      error.message =
          "it does not get what was loaded on the first server: " +
          (error.message.empty() ? "it is not there" : error.message);
      return error;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return std::nullopt;
}

}  // namespace awdit
