#include "server/galera.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/unique_name.h"
#include "server/child_process.h"
#include "server/free_port.h"

namespace awdit {
namespace {

constexpr const char* kLibraries[] = {
    "/usr/lib/galera/libgalera_smm.so",
    "/usr/lib/galera-4/libgalera_smm.so",
    "/usr/lib64/galera-4/libgalera_smm.so",
    "/usr/lib64/galera/libgalera_smm.so",
};

// In a shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

// A method of transfer is a program of a certain name in $PATH. This one is
// MariaDB's own for rsync, but for the rsync that it finds.
constexpr const char* kMethod = R"(#!/bin/sh
PATH={}:"$PATH"
export PATH
exec {} "$@"
)";

// That one lets only those in who know the password.
constexpr const char* kRsync = R"(#!/bin/sh
last= conf=
for word do
  if [ "$last" = --config ]; then conf=$word; fi
  last=$word
done
if [ -n "$conf" ]; then
  {{
    printf 'auth users = awdit\nsecrets file = %s\n' {} && cat "$conf"
  }} > "$conf.guarded" && mv "$conf.guarded" "$conf" || exit 1
fi
exec {} "$@"
)";

}  // namespace

Result<GaleraCluster> GaleraCluster::plan(std::size_t nodes,
                                          const TemporaryDirectory& directory) {
  GaleraCluster cluster;
  for (const char* library : kLibraries) {
    if (access(library, R_OK) == 0) cluster.library_ = library;
  }
  if (cluster.library_.empty()) {
    return Error{.message = "a cluster needs Galera, and it is not installed",
                 .hint = "On Debian: apt install galera-4"};
  }
  cluster.name_ = "awdit-" + random_token(12);
  if (const auto openssl = find_program("openssl", {})) {
    cluster.openssl_ = *openssl;
    cluster.key_ = directory.file("key.pem");
    cluster.certificate_ = directory.file("certificate.pem");
  }
  if (Outcome failed = cluster.choose_ports(nodes)) return *failed;
  if (Outcome failed = cluster.guard_transfers(directory)) return *failed;
  for (std::size_t node = 0; node < nodes; ++node) {
    const std::string file = fmt::format("node{}.cnf", node);
    if (Outcome failed = directory.write_guarded(file, cluster.options(node))) {
      return *failed;
    }
    cluster.option_files_.push_back(directory.guarded(file));
  }
  return cluster;
}

Outcome GaleraCluster::choose_ports(std::size_t nodes) {
  std::vector<unsigned> taken;
  while (taken.size() < 3 * nodes) {
    const auto port = free_port();
    if (!port) return port.error();
    if (std::find(taken.begin(), taken.end(), *port) == taken.end()) {
      taken.push_back(*port);
    }
  }
  for (std::size_t i = 0; i < taken.size(); i += 3) {
    ports_.push_back(
        {.group = taken[i], .incremental = taken[i + 1], .full = taken[i + 2]});
  }
  return std::nullopt;
}

Outcome GaleraCluster::guard_transfers(const TemporaryDirectory& directory) {
  method_ = "rsync";
  const auto script = find_program("wsrep_sst_rsync", {});
  const auto rsync = find_program("rsync", {});
  if (!script || !rsync) return std::nullopt;  // the server will say so
  const std::string secret = random_token(16);
  const std::string secrets = directory.guarded("rsync.secrets");
  const std::string programs = directory.guarded("bin");
  if (Outcome failed = directory.make_guarded("bin")) return failed;
  if (Outcome failed =
          directory.write_guarded("rsync.secrets", "awdit:" + secret + "\n")) {
    return failed;
  }
  if (Outcome failed = directory.write_guarded(
          "bin/wsrep_sst_awdit",
          fmt::format(kMethod, quoted(programs), quoted(*script)), true)) {
    return failed;
  }
  if (Outcome failed = directory.write_guarded(
          "bin/rsync", fmt::format(kRsync, quoted(secrets), quoted(*rsync)),
          true)) {
    return failed;
  }
  // Not where nothing may be executed in temporary directories.
  if (access((programs + "/rsync").c_str(), X_OK) != 0) return std::nullopt;
  method_ = "awdit";
  environment_ = {{"PATH", programs + ":/usr/sbin:/usr/bin:/sbin:/bin"},
                  {"USER", "awdit"},
                  {"LOGNAME", "awdit"},
                  {"RSYNC_PASSWORD", secret}};
  return std::nullopt;
}

std::optional<std::vector<std::string>> GaleraCluster::certificate_words()
    const {
  if (openssl_.empty()) return std::nullopt;
  return std::vector<std::string>{openssl_,
                                  "req",
                                  "-x509",
                                  "-newkey",
                                  "ec",
                                  "-pkeyopt",
                                  "ec_paramgen_curve:prime256v1",
                                  "-nodes",
                                  "-days",
                                  "30",
                                  "-subj",
                                  "/CN=awdit",
                                  "-keyout",
                                  key_,
                                  "-out",
                                  certificate_};
}

std::string GaleraCluster::option_file_word(std::size_t node) const {
  return "--defaults-file=" + option_files_[node];
}

std::string GaleraCluster::options(std::size_t node) const {
  std::string all = "gcomm://";
  for (const Ports& ports : ports_) {
    if (&ports != &ports_.front()) all += ',';
    all += fmt::format("127.0.0.1:{}", ports.group);
  }
  const Ports& own = ports_[node];
  std::string provider = fmt::format(
      "base_port={0};gmcast.listen_addr={1}://127.0.0.1:{0};"
      "ist.recv_addr=127.0.0.1:{2};gcache.size=64M",
      own.group, openssl_.empty() ? "tcp" : "ssl", own.incremental);
  if (!openssl_.empty()) {
    // Its own authority: who has another certificate is refused.
    provider += fmt::format(
        ";socket.ssl=yes;socket.ssl_key={0};socket.ssl_cert={1};"
        "socket.ssl_ca={1}",
        key_, certificate_);
  }
  return fmt::format(
      "[mysqld]\n"
      "wsrep_on=ON\n"
      "wsrep_provider=\"{}\"\n"
      "wsrep_provider_options=\"{}\"\n"
      "wsrep_cluster_name={}\n"
      "wsrep_cluster_address={}\n"
      "wsrep_node_address=127.0.0.1\n"
      "wsrep_node_name=node{}\n"
      "wsrep_sst_method={}\n"
      "wsrep_sst_receive_address=127.0.0.1:{}\n"
      "binlog_format=ROW\n"
      "innodb_autoinc_lock_mode=2\n",
      library_, provider, name_, all, node, method_, own.full);
}

std::string recovered_position(const std::string& log) {
  constexpr std::string_view kMark = "Recovered position: ";
  std::ifstream file(log);
  std::string position;
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(kMark);
    if (at != std::string::npos) position = line.substr(at + kMark.size());
  }
  return position;
}

}  // namespace awdit
