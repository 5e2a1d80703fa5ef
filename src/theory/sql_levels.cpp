// THE table of SQL's levels: what each name promises in which database.
//
// The standard defines levels by three anomalies and leaves the rest open, so
// that one name stands for different promises (Berenson et al., SIGMOD 1995).
// A history has single keys and no predicates: where only phantoms are missing,
// the promise is the full one here.
//
// Sources: for PostgreSQL and MariaDB our own runs (docs/drivers) and Jepsen's
// reports on PostgreSQL 12.3 and MySQL 8.0.34; Oracle's SERIALIZABLE after
// Kleppmann's hermitage. The other rows for Oracle and SQL Server, and MySQL's
// SERIALIZABLE, are general knowledge: nobody has held them against a manual or
// a server here.
#include "theory/sql_levels.h"

#include <array>

namespace awdit {
namespace {

constexpr std::array<std::string_view, 4> kDatabases = {
    "PostgreSQL", "MariaDB, MySQL", "Oracle", "SQL Server"};

using Meanings = std::array<SqlLevel::Meaning, 4>;

constexpr SqlLevel::Meaning kNotOffered = {"", "not offered"};

constexpr Meanings kReadUncommitted = {{
    {"read-committed", "the same as READ COMMITTED"},
    {"", "allows dirty reads, which every level forbids"},
    kNotOffered,
    {"", "allows dirty reads, which every level forbids"},
}};
constexpr Meanings kReadCommitted = {{
    {"read-committed", "a snapshot for each statement"},
    {"read-committed", "a snapshot for each statement"},
    {"read-committed", "a snapshot for each statement"},
    {"read-committed",
     "a lock for each read or, with READ_COMMITTED_SNAPSHOT, a snapshot for "
     "each statement"},
}};
constexpr Meanings kRepeatableRead = {{
    {"snapshot-isolation", "a snapshot for each transaction"},
    {"snapshot-isolation",
     "only with innodb_snapshot_isolation=ON, the default from MariaDB 11.6.2 "
     "on; otherwise, and in MySQL, updates can be lost and no level fits"},
    kNotOffered,
    {"serializable",
     "rows that were read stay locked until the end; phantoms are possible, "
     "but a history does not show them"},
}};
constexpr Meanings kSnapshot = {{
    {"", "called REPEATABLE READ"},
    {"", "MariaDB's REPEATABLE READ with innodb_snapshot_isolation=ON"},
    {"", "called SERIALIZABLE"},
    {"snapshot-isolation", "a snapshot for each transaction"},
}};
constexpr Meanings kSerializable = {{
    {"serializable", "snapshots, and dangerous conflicts are refused"},
    {"serializable", "every read locks what it reads until the end"},
    {"snapshot-isolation",
     "a snapshot for each transaction, so that there may be write skew"},
    {"serializable",
     "rows and ranges that were read stay locked until the end"},
}};

constexpr std::array<std::string_view, 2> kRuAliases = {"ru", "pl-1"};
constexpr std::array<std::string_view, 1> kRcAliases = {"rc"};
constexpr std::array<std::string_view, 2> kRrAliases = {"rr", "pl-2.99"};

constexpr std::array<SqlLevel, 5> kSqlLevels = {{
    {"read-uncommitted", kRuAliases, kReadUncommitted},
    {"read-committed", kRcAliases, kReadCommitted},
    {"repeatable-read", kRrAliases, kRepeatableRead},
    {"snapshot", {}, kSnapshot},
    {"serializable", {}, kSerializable},
}};

}  // namespace

std::span<const SqlLevel> sql_levels() { return kSqlLevels; }
std::span<const std::string_view> sql_databases() { return kDatabases; }

}  // namespace awdit
