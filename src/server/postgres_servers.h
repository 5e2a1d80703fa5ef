// PostgreSQL servers of our own: a primary, and standbys that follow it.
//
// They live in a temporary directory and can be reached by sockets in it alone:
// no port is open, nobody else on the machine can connect, and so nobody needs
// a password. They are made for short lives: small, quick to start, without
// vacuum (the planner stays with the indexes, as SERIALIZABLE locks whole
// tables when they are scanned), and fsync is off unless asked for - kill -9
// takes nothing from the operating system, which is what we do to them.
// Started by root they run as another account, which owns their data and
// sockets; what we write ourselves (rules, logs) lies where only we can.
//
// With asynchronous commits the log is written only every ten seconds, so that
// a kill finds acknowledged commits to lose.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/temporary_directory.h"
#include "server/account.h"
#include "server/child_process.h"

namespace awdit {

class PostgresServers {
 public:
  struct Wishes {
    unsigned standbys = 0;
    bool fsync = false;
    bool asynchronous_commit = false;
  };
  // Whether the server at a target answers.
  using Ready = std::function<bool(const std::string& target)>;
  // Returns when all of them answer.
  static Result<std::unique_ptr<PostgresServers>> start(const Wishes& wishes,
                                                        Ready ready);
  ~PostgresServers();
  PostgresServers(const PostgresServers&) = delete;
  PostgresServers& operator=(const PostgresServers&) = delete;

  // Where libpq finds them; the primary is 0.
  std::string target(std::size_t node) const;
  // The primary by way of a proxy that listens at `proxy_socket`.
  std::string proxy_target() const;
  std::string proxy_socket() const;
  std::string primary_socket() const;

  // Faults, of the primary. One thread at a time.
  void kill();
  Outcome restart();
  void pause();
  void resume();

 private:
  PostgresServers(TemporaryDirectory directory, const Wishes& wishes,
                  Ready ready);
  Outcome make();
  Outcome make_primary() const;
  Outcome make_standby(std::size_t node) const;
  Outcome launch(std::size_t node);
  Outcome run(std::vector<std::string> words) const;
  std::string name(std::size_t node) const;

  TemporaryDirectory directory_;
  Wishes wishes_;
  Ready ready_;
  std::optional<Account> account_;
  std::string programs_;  // the directory of initdb and the others
  std::vector<ChildProcess> children_;
};

}  // namespace awdit
