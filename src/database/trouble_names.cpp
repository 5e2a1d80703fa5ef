// What codes of troubles mean, in a few words: SQLSTATEs as PostgreSQL's manual
// names them (appendix A), numbers as MariaDB's does, and our own words for
// what the embedded databases say. The three kinds cannot be confused.
#include <algorithm>

#include "database/database.h"

namespace awdit {
namespace {

struct TroubleName {
  std::string_view code;
  std::string_view name;
};

constexpr TroubleName kNames[] = {
    // PostgreSQL and its kin
    {"02000", "a write that touched no row"},
    {"08006", "connection lost"},
    {"08007", "outcome not known to the server"},
    {"22023", "not a value of ours"},
    {"23505", "duplicate key"},
    {"25006", "write in a read-only transaction"},
    {"25P01", "no transaction to commit"},
    {"25P02", "transaction had failed before"},
    {"26000", "prepared statement is gone"},
    {"40001", "serialization failure"},
    {"40003", "outcome not known to the server"},
    {"40P01", "deadlock"},
    {"42501", "not allowed"},
    {"42P01", "table is gone"},
    {"53100", "disk full"},
    {"53200", "server out of memory"},
    {"53300", "too many connections"},
    {"55P03", "lock not available in time"},
    {"57014", "statement cancelled"},
    {"57P01", "connection ended by the server"},
    {"57P02", "server crashed"},
    {"57P03", "server not ready"},
    {"57P05", "idle session ended by the server"},
    {"HYT00", "no answer in time"},
    {"XX001", "corrupted table"},
    {"XX002", "corrupted index"},
    // MariaDB and its kin
    {"1020", "record changed since the snapshot"},
    {"1022", "duplicate key"},
    {"1040", "too many connections"},
    {"1047", "node not ready"},
    {"1053", "server shutting down"},
    {"1062", "duplicate key"},
    {"1146", "table is gone"},
    {"1205", "lock wait timeout"},
    {"1213", "deadlock"},
    {"1317", "interrupted"},
    {"1412", "table changed"},
    {"1614", "rolled back after a deadlock"},
    {"1637", "too many transactions"},
    {"1927", "connection killed"},
    {"1969", "statement took too long"},
    {"2002", "server cannot be reached"},
    {"2003", "server cannot be reached"},
    {"2006", "server has gone away"},
    {"2013", "connection lost"},
    {"3024", "statement took too long"},
    // SQLite and RocksDB
    {"busy-snapshot", "another wrote since its snapshot"},
    {"locked", "table locked by another"},
    {"timed-out", "lock not available in time"},
    {"try-again", "too old to be validated"},
    // Ours
    {"connect", "no connection"},
    {"foreign", "not a value of ours"},
    {"odd", "not what was asked for"},
};

}  // namespace

std::string_view trouble_name(std::string_view code) {
  const auto found =
      std::find_if(std::begin(kNames), std::end(kNames),
                   [&](const TroubleName& row) { return row.code == code; });
  return found == std::end(kNames) ? std::string_view() : found->name;
}

}  // namespace awdit
