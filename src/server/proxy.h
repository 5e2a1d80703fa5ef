// Between clients and a server of our own: can lose what COMMIT is answered.
//
// Normally bytes go through untouched. While the fault lasts, a client that
// sends a COMMIT loses its connection: half of the time before the server has
// got the COMMIT, half of the time after the server has answered it - drawn by
// the seed. Either way the client cannot know whether it committed, and it must
// say so.
//
// Both sides are sockets in the file system, as the servers that --start starts
// have: nobody else can connect. One thread serves all connections by poll();
// nothing is copied but once in and once out.
// The protocols differ in one thing only, how to find a COMMIT among the bytes:
// see commit_watch.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "server/commit_watch.h"

namespace awdit {

class Proxy {
 public:
  // Listens at the path `front`, which must not exist, for clients of the
  // server that listens at the path `back`. The latter may come and go.
  static Result<std::unique_ptr<Proxy>> start(const std::string& front,
                                              const std::string& back,
                                              WireProtocol protocol,
                                              std::uint64_t seed);
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  // Safe in all threads. COMMITs that were sent before are not affected.
  void drop_commits(bool drop);
  // How many were lost so far, before and after the server had them.
  struct Count {
    std::uint64_t requests = 0;
    std::uint64_t replies = 0;
  };
  Count dropped() const;

 private:
  struct State;
  explicit Proxy(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace awdit
