// The table of drivers. To add one: a file, a line in CMakeLists.txt, a row.
#include "base/table.h"
#include "driver/loaded.h"
#include "driver/rows.h"

namespace awdit {
namespace {

// -- rocksdb ------------------------------------------------------------------

constexpr std::string_view kSnapshotAliases[] = {"si", "snapshot-isolation"};
constexpr std::string_view kPlainGetAliases[] = {"rc", "read-committed"};
constexpr std::string_view kForUpdateAliases[] = {"ser", "serializable"};
constexpr Promise kRocksdbLevels[] = {
    {.name = "snapshot",
     .aliases = kSnapshotAliases,
     .summary = "reads from the transaction's snapshot",
     .claims = "snapshot-isolation"},
    {.name = "plain-get",
     .aliases = kPlainGetAliases,
     .summary = "each read returns the newest committed version",
     .claims = "read-committed"},
    {.name = "get-for-update",
     .aliases = kForUpdateAliases,
     .summary = "reads lock, or are validated at commit",
     .claims = "serializable"},
};
constexpr Knob kRocksdbKnobs[] = {
    {.name = "transactions",
     .values = "pessimistic|optimistic",
     .summary = "TransactionDB or OptimisticTransactionDB"},
    {.name = "write-policy",
     .values = "committed|prepared",
     .summary = "WRITE_COMMITTED or WRITE_PREPARED; TransactionDB only"},
    {.name = "unordered-write",
     .values = "off|on",
     .summary = "on: snapshots may change (but not with WRITE_PREPARED)"},
    {.name = "sync",
     .values = "off|on",
     .summary = "wait for the disk on each commit"},
};

// -- sqlite -------------------------------------------------------------------

constexpr std::string_view kSerAliases[] = {"ser"};
constexpr std::string_view kUncommittedAliases[] = {"ru"};
constexpr Promise kSqliteLevels[] = {
    {.name = "serializable",
     .aliases = kSerAliases,
     .summary = "SQLite's default: each session has its own connection",
     .claims = "serializable"},
    {.name = "read-uncommitted",
     .aliases = kUncommittedAliases,
     .summary = "PRAGMA read_uncommitted on a shared cache",
     .claims = ""},
};
constexpr Knob kSqliteKnobs[] = {
    {.name = "journal",
     .values = "wal|rollback",
     .summary = "write-ahead log or rollback journal; an existing file keeps "
                "its own unless this is set"},
    {.name = "begin",
     .values = "deferred|immediate",
     .summary = "immediate: writing transactions lock when they begin"},
    {.name = "sync",
     .values = "off|on",
     .summary = "wait for the disk on each commit"},
};

// -- postgres -----------------------------------------------------------------

constexpr std::string_view kPostgresAliases[] = {"postgresql", "cockroachdb",
                                                 "yugabytedb"};
constexpr std::string_view kRepeatableAliases[] = {"rr"};
constexpr std::string_view kCommittedAliases[] = {"rc"};
constexpr Promise kPostgresLevels[] = {
    {.name = "serializable",
     .aliases = kSerAliases,
     .summary = "SERIALIZABLE",
     .claims = "serializable"},
    {.name = "repeatable-read",
     .aliases = kRepeatableAliases,
     .summary = "REPEATABLE READ, which is snapshot isolation there",
     .claims = "snapshot-isolation"},
    {.name = "read-committed",
     .aliases = kCommittedAliases,
     .summary = "READ COMMITTED: a snapshot per statement",
     .claims = "read-committed"},
    {.name = "read-uncommitted",
     .aliases = kUncommittedAliases,
     .summary = "READ UNCOMMITTED, which is READ COMMITTED there",
     .claims = "read-committed"},
};
constexpr Knob kPostgresKnobs[] = {
    {.name = "standbys",
     .values = "0|1|2",
     .summary = "how many standbys --start starts, besides the primary"},
    {.name = "synchronous-commit",
     .values = "on|off",
     .summary = "off: a commit is acknowledged before it is durable"},
    {.name = "fsync",
     .values = "off|on",
     .summary = "of servers that --start starts"},
};

// -- mariadb ------------------------------------------------------------------

constexpr std::string_view kMariadbAliases[] = {"mysql", "galera"};
constexpr Promise kMariadbLevels[] = {
    {.name = "repeatable-read",
     .aliases = kRepeatableAliases,
     .summary = "REPEATABLE READ, the default of InnoDB",
     .claims = "snapshot-isolation"},
    {.name = "serializable",
     .aliases = kSerAliases,
     .summary = "SERIALIZABLE: reads lock",
     .claims = "serializable"},
    {.name = "read-committed",
     .aliases = kCommittedAliases,
     .summary = "READ COMMITTED",
     .claims = "read-committed"},
    {.name = "read-uncommitted",
     .aliases = kUncommittedAliases,
     .summary = "READ UNCOMMITTED",
     .claims = ""},
};
constexpr Knob kMariadbKnobs[] = {
    {.name = "snapshot-isolation",
     .values = "off|on",
     .summary = "innodb_snapshot_isolation: refuse to write what changed since "
                "the snapshot"},
    {.name = "begin",
     .values = "plain|snapshot",
     .summary = "snapshot: START TRANSACTION WITH CONSISTENT SNAPSHOT"},
    {.name = "nodes",
     .values = "1|2|3",
     .summary =
         "how many servers --start starts; more than one: a Galera cluster"},
    {.name = "sync-wait",
     .values = "0|1|3|7|15",
     .summary = "Galera's wsrep_sync_wait; 1: reads wait for earlier commits "
                "of other nodes"},
    {.name = "flush-log",
     .values = "2|1|0",
     .summary = "innodb_flush_log_at_trx_commit of servers that --start "
                "starts; 0: a commit is acknowledged before it is durable"},
};

// -- simulated ----------------------------------------------------------------

constexpr std::string_view kSimulatedAliases[] = {"sim"};
constexpr std::string_view kSiAliases[] = {"si"};
constexpr std::string_view kPsiAliases[] = {"psi"};
constexpr std::string_view kPrefixAliases[] = {"pc", "prefix-consistency"};
constexpr std::string_view kCausalAliases[] = {"cc", "tcc",
                                               "causal-consistency"};
constexpr std::string_view kAtomicAliases[] = {"ra"};
constexpr Promise kSimulatedLevels[] = {
    {.name = "serializable",
     .aliases = kSerAliases,
     .summary = "what was read is validated at commit",
     .claims = "serializable"},
    {.name = "snapshot-isolation",
     .aliases = kSiAliases,
     .summary = "a snapshot, and the first to commit a key wins",
     .claims = "snapshot-isolation"},
    {.name = "parallel-snapshot-isolation",
     .aliases = kPsiAliases,
     .summary = "a replica's snapshot, and the first to commit a key wins",
     .claims = "parallel-snapshot-isolation"},
    {.name = "prefix",
     .aliases = kPrefixAliases,
     .summary = "a snapshot that may lag behind; commits always succeed",
     .claims = "prefix"},
    {.name = "causal",
     .aliases = kCausalAliases,
     .summary = "a replica's snapshot; commits always succeed",
     .claims = "causal"},
    {.name = "read-atomic",
     .aliases = kAtomicAliases,
     .summary =
         "transactions become visible as a whole, in no particular order",
     .claims = "read-atomic"},
    {.name = "read-committed",
     .aliases = kCommittedAliases,
     .summary = "each read returns a committed version, and never goes back",
     .claims = "read-committed"},
};
constexpr Knob kSimulatedKnobs[] = {
    {.name = "bug",
     .values = "none|NAME",
     .summary = "a bug that it shall have; awdit list bugs shows them"},
    {.name = "rate",
     .values = "10|PERCENT",
     .summary = "how often the bug strikes where it can"},
    {.name = "aborts",
     .values = "0|PERCENT",
     .summary = "commits that are refused at random"},
    {.name = "unknown",
     .values = "0|PERCENT",
     .summary = "commits without an answer; half of them took effect"},
    {.name = "lag",
     .values = "8|COMMITS",
     .summary = "how many of the last commits a transaction may miss"},
};

// -- exec ---------------------------------------------------------------------

constexpr Knob kExecKnobs[] = {
    {.name = "log",
     .values = "temporary|FILE",
     .summary = "where the driver's standard error goes"},
    {.name = "NAME",
     .values = "VALUE",
     .summary = "any other setting is the driver's: it is in its hello"},
};

constexpr Driver kDrivers[] = {
    {.name = "rocksdb",
     .summary = "RocksDB inside this process: rocksdb, or rocksdb:DIRECTORY",
     .package = "librocksdb-dev",
     .levels = kRocksdbLevels,
     .knobs = kRocksdbKnobs,
     .lists = true,
#ifdef AWDIT_HAS_ROCKSDB
     .open = load_and_open
#endif
    },
    {.name = "sqlite",
     .summary = "SQLite inside this process: sqlite, or sqlite:FILE",
     .package = "libsqlite3-dev",
     .levels = kSqliteLevels,
     .knobs = kSqliteKnobs,
     .lists = true,
#ifdef AWDIT_HAS_SQLITE
     .open = load_and_open
#endif
    },
    {.name = "postgres",
     .aliases = kPostgresAliases,
     .summary =
         "PostgreSQL and servers that speak its protocol: a URL, or --start",
     .package = "libpq-dev",
     .levels = kPostgresLevels,
     .knobs = kPostgresKnobs,
     .lists = true,
     .starts = true,
#ifdef AWDIT_HAS_POSTGRES
     .open = load_and_open
#endif
    },
    {.name = "mariadb",
     .aliases = kMariadbAliases,
     .summary = "MariaDB, MySQL and Galera: a URL, or --start",
     .package = "libmariadb-dev",
     .levels = kMariadbLevels,
     .knobs = kMariadbKnobs,
     .lists = true,
     .starts = true,
#ifdef AWDIT_HAS_MARIADB
     .open = load_and_open
#endif
    },
    {.name = "simulated",
     .aliases = kSimulatedAliases,
     .summary = "awdit's own deterministic store, with bugs on request",
     .package = "",
     .levels = kSimulatedLevels,
     .knobs = kSimulatedKnobs,
     .lists = true,
     .simulated = true,
     .open = open_simulated},
    {.name = "exec",
     .summary = "any database: exec:COMMAND speaks to it, and to awdit in JSON",
     .package = "",
     .levels = {},
     .knobs = kExecKnobs,
     .lists = true,
     .foreign = true,
     .open = open_exec},
};

// -- faults -------------------------------------------------------------------

constexpr FaultKind kFaults[] = {
    {.name = "kill",
     .summary = "kill -9 the whole server, then restart it",
     .fault = Fault::kill},
    {.name = "pause",
     .summary = "stop the server's processes (SIGSTOP), then let them continue",
     .fault = Fault::pause},
    {.name = "terminate",
     .summary = "end the backends of some sessions",
     .fault = Fault::terminate},
    {.name = "stale",
     .summary = "a standby stops replaying, then catches up",
     .fault = Fault::stale},
    {.name = "drop-commit",
     .summary = "replies to COMMIT do not reach the client",
     .fault = Fault::drop_commit},
};

}  // namespace

std::span<const Driver> drivers() { return kDrivers; }

const Driver* driver_of(std::string_view url) {
  return find_row(drivers(), url.substr(0, url.find(':')));
}

std::span<const FaultKind> faults() { return kFaults; }

}  // namespace awdit
