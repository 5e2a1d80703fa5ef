#include "server/postgres_servers.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "server/client_environment.h"

namespace awdit {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kPatience{60};
constexpr const char* kUser = "awdit";
constexpr const char* kPort = "5432";  // names the socket; no port is opened

constexpr const char* kRules = "pg_hba.conf";  // who may connect, and how

constexpr std::string_view kAccounts[] = {"postgres"};

// Where packages put them, newest version first.
std::vector<std::string> program_directories() {
  std::vector<std::pair<int, std::string>> found;
  const auto look = [&](const std::string& parent, std::string_view prefix) {
    std::error_code ignored;
    for (const auto& entry :
         std::filesystem::directory_iterator(parent, ignored)) {
      const std::string name = entry.path().filename().string();
      if (name.compare(0, prefix.size(), prefix) != 0) continue;
      int version = 0;
      std::from_chars(name.data() + prefix.size(), name.data() + name.size(),
                      version);
      found.emplace_back(version, entry.path().string() + "/bin");
    }
  };
  look("/usr/lib/postgresql", "");
  look("/usr", "pgsql-");
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> directories;
  for (auto& [version, directory] : found) {
    directories.push_back(std::move(directory));
  }
  directories.push_back("/usr/local/pgsql/bin");
  return directories;
}

// The directory that holds all of them; "": there is none.
std::string find_programs() {
  const std::vector<std::string> packaged = program_directories();
  for (const std::string& directory : packaged) {
    if (access((directory + "/postgres").c_str(), X_OK) == 0) return directory;
  }
  // In the path there may be just a link to one of them.
  const auto found = find_program("postgres", {});
  std::error_code ignored;
  return found ? std::filesystem::canonical(*found, ignored)
                     .parent_path()
                     .string()
               : "";
}

// `peer`: the account that must be on the other side, "" if it cannot be told.
std::string target_in(const std::string& directory, const std::string& peer) {
  return fmt::format(
      "host='{}' port={} user={} dbname=postgres hostaddr='' options='' "
      "sslmode=disable gssencmode=disable channel_binding=disable "
      "target_session_attrs=any password='' requirepeer='{}'",
      directory, kPort, kUser, peer);
}

std::string socket_in(const std::string& directory) {
  return directory + "/.s.PGSQL." + kPort;
}

}  // namespace

PostgresServers::PostgresServers(TemporaryDirectory directory,
                                 const Wishes& wishes, Ready ready)
    : directory_(std::move(directory)),
      wishes_(wishes),
      ready_(std::move(ready)),
      account_(unprivileged_account(kAccounts)) {}

PostgresServers::~PostgresServers() {
  // Standbys first: they need not notice that the primary goes. An immediate
  // shutdown, as nobody wants the data; only SIGKILL would leave shared memory.
  for (auto child = children_.rbegin(); child != children_.rend(); ++child) {
    child->stop(SIGQUIT, seconds(5));
  }
}

Result<std::unique_ptr<PostgresServers>> PostgresServers::start(
    const Wishes& wishes, Ready ready) {
  const std::string programs = find_programs();
  if (programs.empty()) {
    return Error{.message = "no PostgreSQL server is installed here",
                 .hint =
                     "Install one (Debian: apt install postgresql), or "
                     "give the URL of a server with --db."};
  }
  forget_client_environment();
  auto directory = TemporaryDirectory::make(unprivileged_account(kAccounts));
  if (!directory) return directory.error();
  std::unique_ptr<PostgresServers> servers(
      new PostgresServers(std::move(*directory), wishes, std::move(ready)));
  servers->programs_ = programs;
  if (Outcome trouble = servers->make()) return *trouble;
  return servers;
}

Outcome PostgresServers::make() {
  if (Outcome trouble = directory_.make_guarded("proxy")) return trouble;
  // Only through the socket, and only by our name.
  if (Outcome trouble = directory_.write_guarded(
          kRules, fmt::format("local all {0} trust\n"
                              "local replication {0} trust\n",
                              kUser))) {
    return trouble;
  }
  for (std::size_t node = 0; node <= wishes_.standbys; ++node) {
    if (Outcome trouble = node == 0 ? make_primary() : make_standby(node)) {
      return trouble;
    }
    if (Outcome trouble = launch(node)) return trouble;
  }
  return std::nullopt;
}

// Makes the node's directory as well.
Outcome PostgresServers::make_primary() const {
  return run({programs_ + "/initdb",
              "--pgdata=" + directory_.file(name(0)) + "/data",
              std::string("--username=") + kUser, "--auth=trust",
              "--encoding=UTF8", "--locale=C", "--no-sync"});
}

// A copy of the primary that goes on to follow it.
Outcome PostgresServers::make_standby(std::size_t node) const {
  return run({programs_ + "/pg_basebackup", "--dbname=" + target(0),
              "--pgdata=" + directory_.file(name(node)) + "/data",
              "--write-recovery-conf", "--checkpoint=fast", "--no-sync"});
}

// (Re)starts a server and waits until it answers.
Outcome PostgresServers::launch(std::size_t node) {
  const std::string home = directory_.file(name(node));
  const std::vector<std::pair<std::string, std::string>> settings = {
      {"listen_addresses", ""},
      {"hba_file", directory_.guarded(kRules)},
      {"unix_socket_directories", home},
      {"unix_socket_permissions", "0700"},
      {"port", kPort},
      {"fsync", wishes_.fsync ? "on" : "off"},
      {"synchronous_commit", wishes_.asynchronous_commit ? "off" : "on"},
      {"wal_writer_delay", wishes_.asynchronous_commit ? "10s" : "200ms"},
      {"shared_buffers", "32MB"},
      {"max_connections", "500"},
      {"autovacuum", "off"},
      {"deadlock_timeout", "100ms"},
      {"wal_retrieve_retry_interval", "100ms"},
      // Leaves nothing outside of the directory when the server is killed.
      {"dynamic_shared_memory_type", "mmap"},
      // Aborts are our daily bread: no word of them in the log.
      {"log_min_messages", "log"},
      {"logging_collector", "off"}};
  Launch launch = {.words = {programs_ + "/postgres", "-D", home + "/data"},
                   .environment = {},
                   .directory = home,
                   .log = directory_.guarded(name(node) + ".log"),
                   .account = account_,
                   .roll = directory_.guarded(kProcessRoll)};
  for (const auto& [setting, value] : settings) {
    launch.words.push_back("-c");
    launch.words.push_back(setting + "=" + value);
  }
  Result<ChildProcess> child = ChildProcess::start(launch);
  if (!child) return child.error();
  if (Outcome trouble = wait_until_ready(
          *child, [&] { return ready_(target(node)); }, kPatience)) {
    return trouble;
  }
  if (node < children_.size()) {
    children_[node] = std::move(*child);
  } else {
    children_.push_back(std::move(*child));
  }
  return std::nullopt;
}

Outcome PostgresServers::run(std::vector<std::string> words) const {
  return run_program({.words = std::move(words),
                      .environment = {},
                      .directory = directory_.path(),
                      .log = directory_.guarded("setup.log"),
                      .account = account_,
                      .roll = directory_.guarded(kProcessRoll)},
                     kPatience);
}

std::string PostgresServers::name(std::size_t node) const {
  return node == 0 ? "primary" : "standby" + std::to_string(node);
}

// -- where they are -----------------------------------------------------------

std::string PostgresServers::target(std::size_t node) const {
  return target_in(directory_.file(name(node)), account_ ? account_->name : "");
}
std::string PostgresServers::proxy_target() const {
  return target_in(directory_.guarded("proxy"), "");
}
std::string PostgresServers::proxy_socket() const {
  return socket_in(directory_.guarded("proxy"));
}
std::string PostgresServers::primary_socket() const {
  return socket_in(directory_.file(name(0)));
}

// -- faults -------------------------------------------------------------------

void PostgresServers::kill() { children_[0].kill_all(); }

Outcome PostgresServers::restart() {
  // Killed backends may still be dying and hold the shared memory, which a new
  // server takes for a sign of life.
  const auto deadline = std::chrono::steady_clock::now() + seconds(20);
  for (;;) {
    Outcome trouble = launch(0);
    if (!trouble || std::chrono::steady_clock::now() > deadline) return trouble;
    std::this_thread::sleep_for(milliseconds(50));
  }
}

void PostgresServers::pause() { children_[0].signal_all(SIGSTOP); }
void PostgresServers::resume() { children_[0].signal_all(SIGCONT); }

}  // namespace awdit
