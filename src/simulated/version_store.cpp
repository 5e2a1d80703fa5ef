#include "simulated/version_store.h"

#include <algorithm>
#include <functional>

namespace awdit::simulated {

std::uint32_t VersionStore::key(std::string_view text, bool list) {
  const auto fresh = static_cast<std::uint32_t>(keys_.size());
  const std::uint64_t hash =
      mix64(std::hash<std::string_view>{}(text) + (list ? 1 : 0));
  const std::uint32_t number =
      index_.find_or_insert(hash, fresh, [&](std::uint32_t candidate) {
        const Key& key = keys_[candidate];
        return key.list == list && key.text == text;
      });
  if (number == fresh) {
    Key& key = keys_.emplace_back();
    key.text = text;
    key.list = list;
  }
  return number;
}

Committed& VersionStore::commit(std::uint32_t session, const Frontier& seen) {
  Committed& commit = commits_.emplace_back();
  commit.session = session;
  commit.seen = seen;
  return commit;
}

Version& VersionStore::add(std::uint32_t number, std::uint32_t session) {
  Key& key = keys_[number];
  if (!key.versions.empty() && key.versions.back().at == now()) {
    return key.versions.back();
  }
  prune(key);
  Version& version = key.versions.emplace_back();
  version.at = now();
  version.session = session;
  return version;
}

void VersionStore::forget_before(Instant horizon) {
  if (horizon <= horizon_) return;
  horizon_ = horizon;
  while (forgotten_ < horizon) {
    commits_.pop_front();
    ++forgotten_;
  }
}

void VersionStore::prune(Key& key) {
  const auto first_needed = std::partition_point(
      key.versions.begin(), key.versions.end(),
      [&](const Version& version) { return version.at <= horizon_; });
  const auto dead = first_needed - key.versions.begin() - 1;
  // Moving what stays costs as much: wait until half is dead.
  if (dead <= 0 || dead * 2 < std::ssize(key.versions)) return;
  key.versions.erase(key.versions.begin(), key.versions.begin() + dead);
  key.pruned = true;
}

}  // namespace awdit::simulated
