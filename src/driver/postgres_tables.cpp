#include "driver/postgres_tables.h"

#include <string>
#include <string_view>
#include <vector>

namespace awdit {
namespace {

constexpr std::size_t kPiece = 1 << 16;  // bytes that are sent at once
constexpr std::size_t kBatch = 100;      // rows of an INSERT

void put_number(std::string& bytes, std::uint64_t number, int width) {
  for (int shift = 8 * (width - 1); shift >= 0; shift -= 8) {
    bytes += static_cast<char>(number >> shift);
  }
}

void put_field(std::string& bytes, std::string_view field) {
  put_number(bytes, field.size(), 4);
  bytes += field;
}

// PostgreSQL's binary format of COPY: a header, rows of counted fields, -1.
Answer load_by_copy(PostgresLink& link, const Rows& rows) {
  Answer answer = link.begin_copy(
      "COPY awdit_kv (k, wid, payload) FROM STDIN WITH (FORMAT binary)");
  if (answer != Answer::done) return answer;
  std::string bytes("PGCOPY\n\377\r\n\0", 11);
  put_number(bytes, 0, 4);  // flags
  put_number(bytes, 0, 4);  // no extension
  const auto send = [&](std::size_t least) {
    if (bytes.size() < least || answer != Answer::done) return;
    answer = link.copy(bytes);
    bytes.clear();
  };
  rows([&](std::string_view key, std::string_view payload) {
    put_number(bytes, 3, 2);
    put_field(bytes, key);
    put_number(bytes, 8, 4);
    put_number(bytes, 0, 8);
    put_field(bytes, payload);
    send(kPiece);
  });
  put_number(bytes, 0xFFFF, 2);
  send(1);
  return answer == Answer::done ? link.end_copy() : answer;
}

Answer load_by_insert(PostgresLink& link, const Rows& rows) {
  std::vector<std::string> fields;  // key and payload by turns
  Answer answer = Answer::done;
  const auto send = [&](std::size_t least) {
    const std::size_t count = fields.size() / 2;
    if (count < least || answer != Answer::done) return;
    std::string sql = "INSERT INTO awdit_kv (k, wid, payload) VALUES ";
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) sql += ", ";
      sql += "($" + std::to_string(2 * i + 1) + ", 0, $" +
             std::to_string(2 * i + 2) + ")";
    }
    const std::vector<std::string_view> values(fields.begin(), fields.end());
    answer = link.execute_text(sql, values);
    fields.clear();
  };
  rows([&](std::string_view key, std::string_view payload) {
    fields.emplace_back(key);
    fields.emplace_back(payload);
    send(kBatch);
  });
  send(1);
  return answer;
}

}  // namespace

Outcome reset_postgres_tables(PostgresLink& link, PostgresProduct product,
                              const Rows& rows) {
  // Bytes, not letters, are compared; CockroachDB does so unasked.
  const std::string key = product == PostgresProduct::cockroachdb
                              ? "k TEXT PRIMARY KEY"
                              : "k TEXT COLLATE \"C\" PRIMARY KEY";
  const std::string statements[] = {
      "DROP TABLE IF EXISTS awdit_kv", "DROP TABLE IF EXISTS awdit_lists",
      "CREATE TABLE awdit_kv (" + key +
          ", wid BIGINT NOT NULL, payload BYTEA NOT NULL)",
      "CREATE TABLE awdit_lists (" + key + ", elements TEXT NOT NULL)"};
  for (const std::string& statement : statements) {
    if (link.query(statement) != Answer::done) {
      return link.error("cannot make our tables: " + statement);
    }
  }
  Answer loaded = load_by_copy(link, rows);
  const std::string& code = link.trouble().code;
  // Not supported; not even its syntax.
  if (loaded != Answer::done && (code == "0A000" || code == "42601")) {
    loaded = load_by_insert(link, rows);
  }
  if (loaded != Answer::done) return link.error("cannot load the rows");
  return std::nullopt;
}

}  // namespace awdit
