#include "simulated/world.h"

#include <algorithm>

namespace awdit::simulated {

void World::reset(std::uint64_t seed) {
  AWDIT_ASSERT(open_.empty());
  random = Random(seed);
  store = VersionStore();
  last_id = 0;
  sessions.clear();
  replicas_ = {};
  ghosts_ = 0;
}

WriteId World::nobodys_id() {
  // Of the run that is going on, or it would be taken for somebody else's; a
  // session counts its writes from below and never comes so far.
  constexpr WriteId kCount = 0x7FFF'FFFF;
  return (last_id & ~kCount) | (kCount - ghosts_++);
}

Instant World::memory() const {
  // Bugs that bring back the past need one.
  return bug == Bug::none ? lag : std::max<Instant>(lag, 1024);
}

Instant World::next_commit(std::uint32_t replica, Instant after) const {
  for (Instant at = after + 1; at <= store.now(); ++at) {
    if (replica_of(store.commit_at(at).session) == replica) return at;
  }
  return 0;
}

Frontier World::receive(std::uint32_t replica) {
  Frontier& mine = replicas_[replica];
  // In the order of commits nothing comes before what it had seen.
  for (Instant& until : mine) until = std::max(until, ago(lag));
  mine[replica] = store.now();
  for (std::uint32_t other = 0; other < kReplicas; ++other) {
    if (other == replica) continue;
    while (random.below(2) == 0) {
      const Instant at = next_commit(other, mine[other]);
      if (at == 0) break;
      const Frontier& seen = store.commit_at(at).seen;
      for (std::uint32_t i = 0; i < kReplicas; ++i) {
        mine[i] = std::max(mine[i], seen[i]);
      }
      mine[other] = at;
    }
  }
  return mine;
}

Frontier World::fork(const Past& past) {
  const Instant now = store.now();
  Frontier all;
  all.fill(now);
  const Instant recent = now - ago(lag);
  if (recent == 0 || !strikes(Bug::long_fork)) return all;
  const Instant missed = now - random.below_wide(recent);
  const std::uint32_t replica = replica_of(store.commit_at(missed).session);
  if (missed <= past.frontier[replica]) return all;
  // Backwards, so that the first of each replica has the last word.
  for (Instant at = now; at >= missed; --at) {
    const Committed& commit = store.commit_at(at);
    if (at == missed || commit.seen[replica] >= missed) {
      all[replica_of(commit.session)] = at - 1;
    }
  }
  return all;
}

void World::closed(const View& view) {
  const auto place = std::find(open_.begin(), open_.end(), &view);
  AWDIT_ASSERT(place != open_.end());
  *place = open_.back();
  open_.pop_back();
}

void World::tidy() {
  if (store.now() % 64 != 0) return;
  Instant horizon = ago(memory());
  for (const View* view : open_) horizon = std::min(horizon, view->oldest());
  store.forget_before(horizon);
}

}  // namespace awdit::simulated
