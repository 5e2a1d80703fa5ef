// The versions that the simulated database keeps. Private to simulated/.
//
// A commit is an instant: the number of commits so far. A key holds the
// versions that commits gave it, oldest first, and of a list all elements ever
// committed: since commits append, a version of a list is a length. What a
// transaction sees of this is not decided here (view.h).
//
// Nobody reads as of an instant before the `horizon`; of what a key held until
// then only the newest version is kept, and nothing of the commits. A key is
// pruned when it is written.
// Cost: a lookup in a hash table per operation, amortised O(1) per version.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/flat_index.h"
#include "database/database.h"

namespace awdit::simulated {

// The state after that many commits; 0: what was loaded.
using Instant = std::uint64_t;

// Sessions are spread over replicas, for levels at which these may differ.
inline constexpr std::uint32_t kReplicas = 3;
inline std::uint32_t replica_of(std::uint32_t session) {
  return session % kReplicas;
}
// [replica] -> its commits until then. Those of a transaction's view include
// whatever each of them had seen.
using Frontier = std::array<Instant, kReplicas>;

// Who loaded the rows.
inline constexpr std::uint32_t kNobody = 0xFFFF'FFFFu;

struct Version {
  Instant at = 0;
  std::uint32_t session = kNobody;
  std::uint32_t length = 0;  // of a list
  WriteId id = 0;
  std::string payload;
};

// Whether the version is among what the frontier has.
inline bool received(const Frontier& frontier, const Version& version) {
  return version.at == 0 || version.at <= frontier[replica_of(version.session)];
}

struct Key {
  std::string text;
  bool list = false;
  bool pruned = false;  // there were older versions, or absence
  std::vector<Version> versions;
  std::vector<WriteId> elements;

  Instant newest() const { return versions.empty() ? 0 : versions.back().at; }
};

struct Committed {
  std::uint32_t session = 0;
  Frontier seen{};
  std::vector<std::uint32_t> keys;  // that it wrote; ascending
};

class VersionStore {
 public:
  // The number of the key; keys of lists are apart from others.
  std::uint32_t key(std::string_view text, bool list);
  Key& operator[](std::uint32_t number) { return keys_[number]; }
  const Key& operator[](std::uint32_t number) const { return keys_[number]; }

  // The instant of the last commit.
  Instant now() const { return forgotten_ + commits_.size(); }
  // REQUIRES: horizon < at <= now().
  const Committed& commit_at(Instant at) const {
    AWDIT_ASSERT(at > forgotten_ && at <= now());
    return commits_[at - forgotten_ - 1];
  }
  // Begins a new instant, to which versions are then added.
  Committed& commit(std::uint32_t session, const Frontier& seen);
  // The key's version of this instant. Its `length` is the caller's task.
  Version& add(std::uint32_t number, std::uint32_t session);

  // From now on nobody asks for what was before it. It never goes back.
  void forget_before(Instant horizon);

 private:
  void prune(Key& key);

  FlatIndex index_;
  std::vector<Key> keys_;
  std::deque<Committed> commits_;  // those after forgotten_
  Instant forgotten_ = 0;
  Instant horizon_ = 0;
};

}  // namespace awdit::simulated
