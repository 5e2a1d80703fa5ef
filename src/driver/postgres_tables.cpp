#include "driver/postgres_tables.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace awdit {
namespace {

constexpr std::size_t kPiece = 1 << 16;  // bytes that are sent at once
constexpr std::size_t kBatch = 100;      // rows of an INSERT

constexpr const char* kTables[] = {"awdit_kv", "awdit_lists"};
// The comment that makes a table ours.
constexpr std::string_view kMark = "made by awdit, which may drop it";

// Two numbers name a lock: "AWDT", and the schema that holds the tables.
constexpr std::string_view kLock =
    "1096238164, hashtext(coalesce(current_schema(), ''))";

// An error if there is a table of ours that is not.
Outcome check_tables(PostgresLink& link) {
  for (const char* table : kTables) {
    if (link.query(fmt::format(
            "SELECT to_regclass('{0}') IS NOT NULL, "
            "coalesce(obj_description(to_regclass('{0}'), 'pg_class'), '')",
            table)) != Answer::done ||
        link.rows() != 1) {
      return link.error(fmt::format("cannot tell whose {} is", table));
    }
    if (link.cell(0, 0) != "t" || link.cell(0, 1) == kMark) continue;
    return Error{
        .message = fmt::format(
            "there is a table {} that awdit did not make; it stays as it is",
            table),
        .hint = fmt::format(
            "Use another database or schema. If nobody needs the table: DROP "
            "TABLE {}.",
            table)};
  }
  return std::nullopt;
}

Outcome drop_tables(PostgresLink& link) {
  for (const char* table : kTables) {
    if (link.query(fmt::format("DROP TABLE IF EXISTS {}", table)) !=
        Answer::done) {
      return link.error(fmt::format("cannot drop {}", table));
    }
  }
  return std::nullopt;
}

// Who has the lock; "" if the server does not tell.
std::string owner_of_lock(PostgresLink& link) {
  const std::string sql = fmt::format(
      "SELECT 'process ' || split_part(a.application_name, '-', 2) || ' at ' "
      "|| coalesce(host(a.client_addr), 'the server''s own machine') || "
      "', user ' || a.usename || ', since ' || "
      "to_char(a.backend_start, 'YYYY-MM-DD HH24:MI:SS TZ') "
      "FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid "
      "JOIN pg_database d ON d.oid = l.database "
      "WHERE l.locktype = 'advisory' AND l.granted "
      "AND d.datname = current_database() "
      "AND (l.classid::bigint, l.objid::bigint) = "
      "(1096238164, hashtext(coalesce(current_schema(), ''))::bigint & "
      "4294967295)");
  if (link.query(sql) != Answer::done || link.rows() < 1) return "";
  return std::string(link.cell(0, 0));
}

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
  Answer answer = link.query(
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
  std::vector<std::string> fields;  // key and payload in turn
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
  const std::string columns[] = {
      key + ", wid BIGINT NOT NULL, payload BYTEA NOT NULL",
      key + ", elements TEXT NOT NULL"};
  if (Outcome foreign = check_tables(link)) return foreign;
  if (Outcome failed = drop_tables(link)) return failed;
  for (std::size_t i = 0; i < std::size(kTables); ++i) {
    // Both or neither: what is sent as one is one transaction.
    const std::string statement =
        fmt::format("CREATE TABLE {0} ({1}); COMMENT ON TABLE {0} IS '{2}'",
                    kTables[i], columns[i], kMark);
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

Outcome drop_postgres_tables(PostgresLink& link) {
  if (Outcome foreign = check_tables(link)) return foreign;
  return drop_tables(link);
}

Outcome lock_postgres_tables(PostgresLink& link, PostgresProduct product) {
  // It does nothing but hold the lock. Older servers do not know the setting.
  link.query("SET idle_session_timeout = 0");
  if (link.query(fmt::format("SELECT pg_try_advisory_lock({})", kLock)) !=
          Answer::done ||
      link.rows() != 1) {
    if (product != PostgresProduct::postgres) return std::nullopt;
    return link.error("cannot lock our tables");
  }
  if (link.cell(0, 0) == "t") return std::nullopt;
  const std::string owner = owner_of_lock(link);
  return Error{.message =
                   "another run of awdit uses the tables awdit_* of "
                   "this database" +
                   (owner.empty() ? "" : ": " + owner),
               .hint =
                   "Wait for it to end, or use another database or "
                   "schema."};
}

void unlock_postgres_tables(PostgresLink& link) {
  link.query("SELECT pg_advisory_unlock_all()");
}

}  // namespace awdit
