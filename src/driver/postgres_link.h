// A connection of libpq that neither waits for ever nor tells passwords.
//
// Every request is sent and awaited without blocking, with a deadline: a server
// that is stopped (SIGSTOP), or gone without a word, costs a session its
// connection and not its life. Whatever ends a connection (EOF, a FATAL error,
// the deadline) closes it at once; from then on every answer is `lost`.
//
// Texts for people pass through here: passwords that libpq was given, or found
// in the environment or in ~/.pgpass, are replaced.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "driver/driver.h"
#include "driver/postgres_answers.h"

struct pg_conn;
struct pg_result;

namespace awdit {

class PostgresLink {
 public:
  // `target`: a URL of libpq, or words like host=...; "": what the environment
  // says. `name` is what the server calls us (application_name).
  static Result<std::unique_ptr<PostgresLink>> open(const std::string& target,
                                                    const std::string& name,
                                                    unsigned timeout_seconds);
  ~PostgresLink();
  PostgresLink(const PostgresLink&) = delete;
  PostgresLink& operator=(const PostgresLink&) = delete;

  // Whose errors these are; PostgreSQL's unless said otherwise.
  void set_product(PostgresProduct product) { product_ = product; }
  void set_timeout(unsigned seconds) {
    timeout_ = std::chrono::seconds(seconds);
  }

  // -- requests: done or what it is instead -----------------------------------

  Answer query(const std::string& sql, Phase phase = Phase::body);
  Answer prepare(const char* name, const char* sql);
  // Parameters and results of prepared statements are binary.
  Answer execute(const char* name, std::span<const std::string_view> values);
  // Once, without preparing it.
  Answer execute_text(const std::string& sql,
                      std::span<const std::string_view> values);

  // COPY ... FROM STDIN: begin, any number of pieces, end.
  Answer begin_copy(const std::string& sql);
  Answer copy(std::string_view piece);
  Answer end_copy();

  // -- of the last request ----------------------------------------------------

  int rows() const;
  // Valid until the next request. REQUIRES: there is such a row and column.
  std::string_view cell(int row, int column) const;
  // "COMMIT", "INSERT 0 1"
  std::string_view tag() const;
  std::uint64_t affected_rows() const;
  const Trouble& trouble() const { return trouble_; }
  // For a driver that does not like an answer that the server found good.
  Answer say_no(std::string code, std::string text);
  // The trouble as an error, said of `what`.
  Error error(const std::string& what) const;

  // -- of the connection ------------------------------------------------------

  bool lost() const { return connection_ == nullptr; }
  bool idle() const;  // in no transaction
  std::string host() const;
  std::string port() const;
  std::string database() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct FreeResult {
    void operator()(pg_result* result) const;
  };

  PostgresLink(pg_conn* connection, unsigned timeout_seconds);
  void start();
  Answer finish(bool sent, Phase phase);
  bool flush();
  bool wait(short events);
  Answer judge(Phase phase);
  Answer lose(std::string code, std::string_view text);
  std::string scrubbed(std::string_view text) const;
  static void keep_notice(void* self, const pg_result* notice);

  pg_conn* connection_;  // nullptr: lost
  std::chrono::seconds timeout_;
  Clock::time_point deadline_;
  PostgresProduct product_ = PostgresProduct::postgres;
  std::unique_ptr<pg_result, FreeResult> result_;
  Trouble trouble_;
  Trouble farewell_;  // the server's, when it ended an idle connection
  bool timed_out_ = false;
  std::vector<std::string> secrets_;
};

// What libpq says of a target that it does not understand, without the parts it
// quotes, as those may hold a password; nothing: it does understand.
Outcome check_postgres_target(const std::string& target);

// Whether a server of our own answers; see PostgresServers::Ready.
bool postgres_ready(const std::string& target);

}  // namespace awdit
