#include "server/mariadb_servers.h"

#include <fmt/format.h>
#include <signal.h>

#include "server/client_environment.h"

namespace awdit {
namespace {

constexpr std::string_view kAccounts[] = {"mysql"};
// Generous: installing writes a hundred megabytes, on a machine that may have
// other things to do.
constexpr std::chrono::seconds kPatience{180};

std::optional<std::string> find_either(std::string_view name,
                                       std::string_view old_name) {
  // Some of these are in the $PATH of root only.
  const std::vector<std::string> places = {
      "/usr/sbin", "/usr/libexec", "/usr/local/sbin", "/usr/local/mysql/bin"};
  const auto found = find_program(name, places);
  return found ? found : find_program(old_name, places);
}

}  // namespace

MariadbServers::MariadbServers(TemporaryDirectory directory,
                               const Wishes& wishes, Ready ready)
    : wishes_(wishes),
      ready_(std::move(ready)),
      account_(unprivileged_account(kAccounts)),
      directory_(std::move(directory)),
      processes_(wishes.nodes) {}

Result<std::unique_ptr<MariadbServers>> MariadbServers::start(
    const Wishes& wishes, Ready ready) {
  forget_client_environment();
  auto directory = TemporaryDirectory::make(unprivileged_account(kAccounts));
  if (!directory) return directory.error();
  std::unique_ptr<MariadbServers> servers(
      new MariadbServers(std::move(*directory), wishes, std::move(ready)));
  if (Outcome failed = servers->make()) return *failed;
  return servers;
}

Outcome MariadbServers::make() {
  if (Outcome failed = find_programs()) return failed;
  if (Outcome failed = install()) return failed;
  if (wishes_.nodes > 1) return make_cluster();
  return launch(0, GaleraStart::alone);
}

Outcome MariadbServers::find_programs() {
  const auto install = find_either("mariadb-install-db", "mysql_install_db");
  const auto server = find_either("mariadbd", "mysqld");
  if (!install || !server) {
    return Error{.message =
                     "--start needs a MariaDB server on this machine, "
                     "and none is installed",
                 .hint = "On Debian: apt install mariadb-server"};
  }
  install_program_ = *install;
  server_program_ = *server;
  return std::nullopt;
}

// -- places -------------------------------------------------------------------

std::string MariadbServers::data(std::size_t node) const {
  return directory_.file(fmt::format("data{}", node));
}
std::string MariadbServers::socket(std::size_t node) const {
  return directory_.file(fmt::format("socket{}", node));
}
std::string MariadbServers::proxy_socket(std::size_t node) const {
  return directory_.guarded(fmt::format("proxy{}", node));
}

// -- starting -----------------------------------------------------------------

// What it says goes to the guarded file `log`.
Launch MariadbServers::command(std::vector<std::string> words,
                               const std::string& log) const {
  return {.words = std::move(words),
          .environment = cluster_ ? cluster_->environment()
                                  : decltype(Launch::environment){},
          .directory = directory_.path(),
          .log = directory_.guarded(log),
          .account = account_,
          .roll = directory_.guarded(kProcessRoll)};
}

Outcome MariadbServers::run(std::vector<std::string> words,
                            const std::string& log) const {
  return run_program(command(std::move(words), log), kPatience);
}

Outcome MariadbServers::install() const {
  return run({install_program_, "--no-defaults", "--datadir=" + data(0),
              "--auth-root-authentication-method=normal", "--skip-test-db",
              "--skip-name-resolve", "--innodb-log-file-size=8M",
              "--innodb-flush-log-at-trx-commit=0"},
             "install.log");
}

// See galera.h for why this is done in two steps.
Outcome MariadbServers::make_cluster() {
  auto cluster = GaleraCluster::plan(wishes_.nodes, directory_);
  if (!cluster) return cluster.error();
  cluster_ = std::move(*cluster);
  if (const auto words = cluster_->certificate_words()) {
    if (Outcome failed = run(*words, "certificate.log")) return failed;
  }
  if (Outcome failed = launch(0, GaleraStart::first)) return failed;
  processes_[0]->stop(SIGTERM, kPatience);
  processes_[0].reset();
  // By programs that run as the account, as we touch nothing in there.
  if (Outcome failed =
          run({"/bin/rm", "-f", data(0) + "/galera.cache"}, "copy.log")) {
    return failed;
  }
  for (std::size_t node = 1; node < wishes_.nodes; ++node) {
    if (Outcome failed =
            run({"/bin/cp", "-a", data(0), data(node)}, "copy.log")) {
      return failed;
    }
  }
  for (std::size_t node = 0; node < wishes_.nodes; ++node) {
    const auto how = node == 0 ? GaleraStart::first : GaleraStart::join;
    if (Outcome failed = launch(node, how)) return failed;
  }
  return std::nullopt;
}

std::vector<std::string> MariadbServers::server_words(std::size_t node) const {
  return {server_program_,
          // Must come first.
          cluster_ ? cluster_->option_file_word(node) : "--no-defaults",
          "--datadir=" + data(node), "--tmpdir=" + directory_.path(),
          "--socket=" + socket(node),
          "--pid-file=" + directory_.file(fmt::format("pid{}", node)),
          "--skip-networking", "--skip-name-resolve", "--max-connections=2000",
          "--performance-schema=OFF", "--innodb-buffer-pool-size=128M",
          "--innodb-flush-log-at-trx-commit=" + wishes_.flush_log,
          "--innodb-buffer-pool-dump-at-shutdown=OFF",
          "--innodb-buffer-pool-load-at-startup=OFF"};
}

Outcome MariadbServers::launch(std::size_t node, GaleraStart how) {
  std::vector<std::string> words = server_words(node);
  if (how == GaleraStart::recover) {
    // Alone: it only looks at its own data.
    std::vector<std::string> asking = words;
    asking[1] = "--no-defaults";
    asking.emplace_back("--wsrep-recover");
    if (Outcome failed = run(asking, "recover.log")) return failed;
    const std::string position =
        recovered_position(directory_.guarded("recover.log"));
    if (!position.empty()) {
      words.push_back("--wsrep-start-position=" + position);
    }
  }
  if (how == GaleraStart::first) words.emplace_back("--wsrep-new-cluster");
  auto process = ChildProcess::start(
      command(std::move(words), fmt::format("log{}", node)));
  if (!process) return process.error();
  if (Outcome failed = wait_until_ready(
          *process, [&] { return ready_(socket(node), cluster_.has_value()); },
          kPatience)) {
    return failed;
  }
  processes_[node] = std::move(*process);
  return std::nullopt;
}

// -- faults -------------------------------------------------------------------

void MariadbServers::kill(std::size_t node) {
  const std::lock_guard lock(mutex_);
  if (processes_[node]) processes_[node]->kill_all();
}

Outcome MariadbServers::restart(std::size_t node) {
  const std::lock_guard lock(mutex_);
  processes_[node].reset();
  return launch(node, cluster_ ? GaleraStart::recover : GaleraStart::alone);
}

void MariadbServers::pause(std::size_t node) {
  const std::lock_guard lock(mutex_);
  if (processes_[node]) processes_[node]->signal_all(SIGSTOP);
}

void MariadbServers::resume(std::size_t node) {
  const std::lock_guard lock(mutex_);
  if (processes_[node]) processes_[node]->signal_all(SIGCONT);
}

}  // namespace awdit
