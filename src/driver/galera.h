// What makes several MariaDB servers on this machine a Galera cluster: ports
// to talk to each other, and options that say so.
//
// A node that joins must get the state of the others. So that this is quick,
// all begin as copies of a node that has been the only one of its cluster: then
// only the few events since are sent (an incremental transfer). A node that was
// killed says first where it stopped, for the same reason.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace awdit {

enum class GaleraStart {
  alone,    // no cluster at all
  first,    // makes a cluster that others may join
  join,     // after a clean end
  recover,  // after a kill
};

class GaleraCluster {
 public:
  // Finds the library and free ports.
  static Result<GaleraCluster> plan(std::size_t nodes);

  // Options for mariadbd.
  std::vector<std::string> options(std::size_t node, bool first) const;

 private:
  struct Ports {
    unsigned group = 0;        // the cluster's own messages
    unsigned incremental = 0;  // transfers of events
    unsigned full = 0;         // transfers of everything
  };
  std::string library_;
  std::vector<Ports> ports_;  // by node
};

// What `mariadbd --wsrep-recover` wrote to its log: where the node stopped; ""
// if it does not say.
std::string recovered_position(const std::string& log);

}  // namespace awdit
