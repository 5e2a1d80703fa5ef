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

constexpr const char* kTables[] = {
    "DROP TABLE IF EXISTS awdit_kv, awdit_lists, awdit_loaded",
    "CREATE TABLE awdit_kv (k VARBINARY(250) PRIMARY KEY, wid BIGINT UNSIGNED "
    "NOT NULL, payload LONGBLOB NOT NULL) ENGINE=InnoDB",
    "CREATE TABLE awdit_lists (k VARBINARY(250) PRIMARY KEY, elements LONGTEXT "
    "CHARACTER SET ascii NOT NULL) ENGINE=InnoDB",
    "CREATE TABLE awdit_loaded (token BIGINT UNSIGNED PRIMARY KEY) "
    "ENGINE=InnoDB",
};

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
  for (const char* sql : kTables) {
    if (link.query(sql) != 0) return link.error();
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
