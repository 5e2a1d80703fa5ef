// A session's connection to PostgreSQL or to a server of its protocol.
//
// One statement per operation, prepared, executed before the call returns.
// The id of the write is a column of its own in the row that is read. BEGIN and
// COMMIT are plain queries: a proxy recognises them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "driver/driver.h"
#include "driver/postgres_link.h"

namespace awdit {

// What all sessions at one node have in common.
struct PostgresTerms {
  PostgresProduct product = PostgresProduct::postgres;
  std::string level;     // as SQL says it: "REPEATABLE READ"
  bool standby = false;  // takes no writes
  bool asynchronous_commit = false;
  bool sets_deadlock_timeout = false;  // which not everybody may
  // A lock that does not come free so soon is refused; 0: the server's wish.
  unsigned lock_milliseconds = 0;
};

// "repeatable-read" as SQL says it. A standby has no SERIALIZABLE (0A000): the
// best it offers is REPEATABLE READ.
std::string postgres_level(std::string_view promise, bool standby);

class PostgresConnection final : public Connection {
 public:
  // REQUIRES: the link is fresh. An error if the tables are not there.
  static Result<std::unique_ptr<Connection>> make(
      std::unique_ptr<PostgresLink> link, const PostgresTerms& terms);

  Answer begin(bool read_only) override;
  Answer read(std::string_view key, Content& content) override;
  Answer read_for_update(std::string_view key, Content& content) override;
  Answer write(std::string_view key, WriteId id,
               std::string_view payload) override;
  Answer append(std::string_view key, WriteId element) override;
  Answer read_list(std::string_view key,
                   std::vector<WriteId>& elements) override;
  Answer commit() override;
  Answer rollback() override;
  const Trouble& trouble() const override { return link_->trouble(); }

 private:
  PostgresConnection(std::unique_ptr<PostgresLink> link,
                     const PostgresTerms& terms);
  Answer read_by(const char* statement, std::string_view key, Content& content);
  Answer expect_one_row(Answer answer);

  std::unique_ptr<PostgresLink> link_;
  std::string begin_;
  std::string begin_read_only_;
};

}  // namespace awdit
