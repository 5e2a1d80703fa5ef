#include "driver/galera.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "driver/free_port.h"

namespace awdit {
namespace {

constexpr const char* kLibraries[] = {
    "/usr/lib/galera/libgalera_smm.so",
    "/usr/lib/galera-4/libgalera_smm.so",
    "/usr/lib64/galera-4/libgalera_smm.so",
    "/usr/lib64/galera/libgalera_smm.so",
};

}  // namespace

Result<GaleraCluster> GaleraCluster::plan(std::size_t nodes) {
  GaleraCluster cluster;
  for (const char* library : kLibraries) {
    if (access(library, R_OK) == 0) cluster.library_ = library;
  }
  if (cluster.library_.empty()) {
    return Error{.message = "a cluster needs Galera, and it is not installed",
                 .hint = "On Debian: apt install galera-4"};
  }
  std::vector<unsigned> taken;
  while (taken.size() < 3 * nodes) {
    const auto port = free_port();
    if (!port) return port.error();
    if (std::find(taken.begin(), taken.end(), *port) == taken.end()) {
      taken.push_back(*port);
    }
  }
  for (std::size_t i = 0; i < taken.size(); i += 3) {
    cluster.ports_.push_back(
        {.group = taken[i], .incremental = taken[i + 1], .full = taken[i + 2]});
  }
  return cluster;
}

std::vector<std::string> GaleraCluster::options(std::size_t node,
                                                bool first) const {
  std::string all = "gcomm://";
  for (const Ports& ports : ports_) {
    if (&ports != &ports_.front()) all += ',';
    all += fmt::format("127.0.0.1:{}", ports.group);
  }
  const Ports& own = ports_[node];
  std::vector<std::string> words = {
      "--wsrep-on=ON",
      "--wsrep-provider=" + library_,
      "--wsrep-cluster-name=awdit",
      "--wsrep-cluster-address=" + all,
      "--wsrep-node-address=127.0.0.1",
      fmt::format("--wsrep-node-name=node{}", node),
      "--wsrep-sst-method=rsync",
      fmt::format("--wsrep-sst-receive-address=127.0.0.1:{}", own.full),
      fmt::format("--wsrep-provider-options=base_port={0};"
                  "gmcast.listen_addr=tcp://127.0.0.1:{0};"
                  "ist.recv_addr=127.0.0.1:{1};gcache.size=64M",
                  own.group, own.incremental),
      "--binlog-format=ROW",
      "--innodb-autoinc-lock-mode=2",
  };
  if (first) words.emplace_back("--wsrep-new-cluster");
  return words;
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
