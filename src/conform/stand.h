// Where a database stands while it is tried: sessions, ids of writes, and short
// ways to write and read in a transaction of their own. Private to conform/.
//
// Whoever does something that must work says what it was; the first that fails
// is what the trial tells.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"

namespace awdit {

// What a read found.
struct Found {
  Answer answer = Answer::lost;
  Content content = {};
  bool is(WriteId id) const {
    return answer == Answer::done && content.id == id;
  }
};

class Stand {
 public:
  // `claims` by its name in src/theory; "": nothing.
  Stand(Database& database, std::string_view claims)
      : database_(database), claims_(claims) {}

  Database& database() { return database_; }
  // Whether the database claims this level, by implication perhaps.
  bool claims(std::string_view level) const;
  bool whole() const { return database_.whole(); }

  // A session that is new, until end_sessions(). nullptr: failure() says why.
  Connection* session();
  // Also without commit, as when a client dies.
  void end(Connection* session);
  void end_sessions() { sessions_.clear(); }

  // An id, and with it a value, that nobody has had. They are large, as those
  // of runs are.
  WriteId fresh();

  // In a transaction of its own.
  Answer write(Connection& session, std::string_view key, WriteId id,
               std::string_view payload = {});
  Found read(Connection& session, std::string_view key);
  // Within one that has begun.
  static Found look(Connection& session, std::string_view key);

  // Empties the database; false: failure() says why.
  bool reset();
  // Whether `answer` is done; otherwise the first time this is what failed.
  bool works(Connection& session, Answer answer, std::string_view what);
  bool fail(std::string words);
  // The driver must not be asked any more.
  bool hopeless() const { return hopeless_; }
  // What has failed since the last time; "": nothing.
  std::string failure();

 private:
  Database& database_;
  std::string claims_;
  std::vector<std::unique_ptr<Connection>> sessions_;
  unsigned last_session_ = 0;
  std::uint64_t last_write_ = 0;
  std::string failure_;
  bool hopeless_ = false;
};

// "conflict (the row has changed)"
std::string reason_of(const Connection& session);

}  // namespace awdit
