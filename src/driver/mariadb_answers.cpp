#include "driver/mariadb_answers.h"

namespace awdit {
namespace {

// The server says no, and that it did not commit. Some of these undo only the
// statement: the caller rolls back whatever is left.
bool refusal(unsigned error) {
  switch (error) {
    case 1020:  // the record has changed since the snapshot
    case 1022:  // duplicate key
    case 1047:  // Galera: the node is not ready
    case 1062:  // duplicate entry
    case 1205:  // lock wait timeout
    case 1213:  // deadlock; Galera: certification failed
    case 1412:  // the table's definition has changed
    case 1614:  // the transaction was rolled back because of a deadlock
    case 1637:  // too many transactions
    case 1969:  // max_statement_time
    case 3024:  // MySQL: max_execution_time
      return true;
    default:
      return false;
  }
}

// The connection is, or will be, no more.
bool loss(unsigned error) {
  switch (error) {
    case 1053:  // the server is shutting down
    case 1077:  // likewise
    case 1079:  // likewise
    case 1152:  // connection aborted
    case 1158:  // network: reading
    case 1159:
    case 1160:  // network: writing
    case 1161:
    case 1184:  // connection aborted
    case 1317:  // interrupted by KILL
    case 1927:  // connection killed
      return true;
    case 2008:  // client: out of memory
    case 2014:  // client: requests in the wrong order
      return false;
    default:
      // 2030 to 2036: statements used in a wrong way.
      return (error >= 2000 && error < 2030) ||
             (error >= 2037 && error < 3000) || (error >= 5000 && error < 6000);
  }
}

}  // namespace

Answer answer_of_mariadb(unsigned error, bool committing) {
  if (refusal(error)) return Answer::refused;
  if (loss(error)) return Answer::lost;
  return committing ? Answer::ambiguous : Answer::fatal;
}

}  // namespace awdit
