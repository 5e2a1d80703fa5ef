// What the sessions of one simulated database share. Private to simulated/.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "database/database.h"
#include "simulated/version_store.h"
#include "simulated/view.h"

namespace awdit::simulated {

// In the order of the rows of planted_bugs().
enum class Bug : std::uint8_t {
  aborted,
  intermediate,
  future,
  thin_air,
  own_write,
  stale_own_write,
  duplicate,
  reordered,
  non_monotonic,
  non_repeatable,
  fractured,
  stale_session,
  lost_commit,
  causal,
  lost_update,
  long_fork,
  write_skew,
  none,
};

// How a level is kept: what transactions see, and what is refused at commit.
struct Mechanism {
  std::string_view level;
  View::Rule view;
  // A commit is refused if it overwrites a version that it did not see.
  bool guards_overwrites = false;
  // A commit that writes is refused if anything that it read has been replaced.
  bool validates_reads = false;
};

// What the next transaction of a session builds on, on whatever connection.
struct Past {
  Instant seen = 0;         // the session has seen, or done, all until then
  Instant last_commit = 0;  // its own; 0: none
  Frontier frontier{};      // what it has seen, where snapshots fork
  WriteId last_id = 0;      // that it wrote
};

class World {
 public:
  // Knobs.
  Mechanism mechanism;
  Bug bug = Bug::none;
  Coin rate{0};     // of the bug, where it could strike
  Coin aborts{0};   // commits that are refused for no reason
  Coin unknown{0};  // commits without an answer
  Instant lag = 0;  // a transaction may miss this many last commits

  Random random{1};
  VersionStore store;
  WriteId last_id = 0;  // of any session
  std::map<std::uint32_t, Past> sessions;

  // Whether this bug is planted and strikes now; ask only where it can.
  bool strikes(Bug which) { return bug == which && rate(random); }
  // What nobody will ever write.
  WriteId nobodys_id();

  // So many commits ago; the beginning if there are not as many.
  Instant ago(Instant commits) const {
    return store.now() > commits ? store.now() - commits : 0;
  }
  // How far back versions are kept, whoever is reading.
  Instant memory() const;
  // What the replica has received: anew, and at random, each time.
  Frontier receive(std::uint32_t replica);
  // Everything; or, if the bug strikes, everything but a recent commit that the
  // session has not seen and those that depend on it.
  Frontier fork(const Past& past);

  // Empty, as if nothing had ever been. REQUIRES: there are no connections.
  void reset(std::uint64_t seed);

  // Views of transactions that run.
  void opened(const View& view) { open_.push_back(&view); }
  void closed(const View& view);
  // Drops what nobody can read any more; to be called at each commit.
  void tidy();

 private:
  Instant next_commit(std::uint32_t replica, Instant after) const;

  std::array<Frontier, kReplicas> replicas_{};
  std::vector<const View*> open_;
  std::uint32_t ghosts_ = 0;
};

std::unique_ptr<Connection> make_connection(World& world,
                                            std::uint32_t session);

}  // namespace awdit::simulated
