// What makes several MariaDB servers on this machine a Galera cluster: ports
// to talk to each other, and options that say so.
//
// A node that joins must get the state of the others. So that this is quick,
// all begin as copies of a node that has been the only one of its cluster: then
// only the few events since are sent (an incremental transfer). A node that was
// killed says first where it stopped, for the same reason.
//
// The ports are those of 127.0.0.1, where everybody on this machine can knock,
// and answer only to the cluster: its own messages and incremental transfers by
// TLS, with a certificate that is made for the occasion and that both sides
// must have; full transfers (rsync, whose port is open while a node joins) by a
// password that is drawn for the occasion. Nothing secret is on a command line,
// which everybody can see: options are in files. Where the program openssl is
// missing, who wants to join must know the name of the cluster, which is drawn
// as well.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/temporary_directory.h"

namespace awdit {

enum class GaleraStart {
  alone,    // no cluster at all
  first,    // makes a cluster that others may join
  join,     // after a clean end
  recover,  // after a kill
};

class GaleraCluster {
 public:
  // Finds the library and free ports, and writes what the nodes need to the
  // guarded part of the directory.
  static Result<GaleraCluster> plan(std::size_t nodes,
                                    const TemporaryDirectory& directory);

  // What must be run first, as the nodes' account; nothing: nothing.
  std::optional<std::vector<std::string>> certificate_words() const;
  // For mariadbd, as the first.
  std::string option_file_word(std::size_t node) const;
  // For mariadbd, and for programs that it starts.
  const std::vector<std::pair<std::string, std::string>>& environment() const {
    return environment_;
  }

 private:
  struct Ports {
    unsigned group = 0;        // the cluster's own messages
    unsigned incremental = 0;  // transfers of events
    unsigned full = 0;         // transfers of everything
  };
  GaleraCluster() = default;
  Outcome choose_ports(std::size_t nodes);
  Outcome guard_transfers(const TemporaryDirectory& directory);
  std::string options(std::size_t node) const;

  std::string library_;
  std::string name_;                       // of the cluster
  std::string openssl_;                    // the program; "": it is missing
  std::string key_;                        // a file, if there is openssl
  std::string certificate_;                // likewise
  std::string method_;                     // of full transfers
  std::vector<Ports> ports_;               // by node
  std::vector<std::string> option_files_;  // likewise
  std::vector<std::pair<std::string, std::string>> environment_;
};

// What `mariadbd --wsrep-recover` wrote to its log: where the node stopped; ""
// if it does not say.
std::string recovered_position(const std::string& log);

}  // namespace awdit
