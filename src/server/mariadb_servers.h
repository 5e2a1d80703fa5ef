// MariaDB servers of our own: one, or a Galera cluster of several.
//
// They live in a temporary directory and can be reached by sockets in it alone:
// nobody else on the machine can connect, and so nobody needs a password. (The
// nodes of a cluster talk to each other by ports of 127.0.0.1: galera.h.) No
// option file is read but our own, so that all runs are alike. Started by root
// they run as another account, which owns their data and sockets; what we write
// ourselves (logs, options) lies where only we can.
//
// A commit is handed to the operating system but not to the disk, unless asked
// for: kill -9 takes nothing from the operating system, and that is all that we
// do to them. Double writes stay on: a killed process can leave half a page.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/temporary_directory.h"
#include "server/account.h"
#include "server/child_process.h"
#include "server/galera.h"

namespace awdit {

class MariadbServers {
 public:
  struct Wishes {
    unsigned nodes = 1;           // more than one: a Galera cluster
    std::string flush_log = "2";  // innodb_flush_log_at_trx_commit
  };
  // Whether the server at a socket answers, in a cluster: as one of its nodes;
  // then it has the database "awdit".
  using Ready = std::function<bool(const std::string& socket, bool in_cluster)>;
  // Returns when all of them answer.
  static Result<std::unique_ptr<MariadbServers>> start(const Wishes& wishes,
                                                       Ready ready);

  const Wishes& wishes() const { return wishes_; }
  std::size_t size() const { return wishes_.nodes; }
  // Where it listens; and where a proxy in front of it may.
  std::string socket(std::size_t node) const;
  std::string proxy_socket(std::size_t node) const;

  // Faults. Safe in all threads.
  void kill(std::size_t node);
  Outcome restart(std::size_t node);
  void pause(std::size_t node);
  void resume(std::size_t node);

 private:
  MariadbServers(TemporaryDirectory directory, const Wishes& wishes,
                 Ready ready);
  Outcome make();
  Outcome find_programs();
  Outcome install() const;
  Outcome make_cluster();
  Outcome launch(std::size_t node, GaleraStart how);
  Launch command(std::vector<std::string> words, const std::string& log) const;
  Outcome run(std::vector<std::string> words, const std::string& log) const;
  std::vector<std::string> server_words(std::size_t node) const;
  std::string data(std::size_t node) const;

  const Wishes wishes_;
  const Ready ready_;
  const std::optional<Account> account_;
  const TemporaryDirectory directory_;  // goes after the processes
  std::string install_program_;
  std::string server_program_;
  std::optional<GaleraCluster> cluster_;
  std::mutex mutex_;
  std::vector<std::optional<ChildProcess>> processes_;  // by node
};

}  // namespace awdit
