#include "simulated/view.h"

#include <algorithm>

namespace awdit::simulated {
namespace {

std::ptrdiff_t last_of(const Key& key) { return std::ssize(key.versions) - 1; }

const Version& version_of(const Key& key, std::ptrdiff_t number) {
  return key.versions[static_cast<std::size_t>(number)];
}

// The newest version as of an instant.
std::ptrdiff_t version_at(const Key& key, Instant at) {
  const auto after =
      std::partition_point(key.versions.begin(), key.versions.end(),
                           [&](const Version& v) { return v.at <= at; });
  return after - key.versions.begin() - 1;
}

}  // namespace

void View::reset(Rule new_rule, std::uint32_t session, Instant oldest) {
  rule = new_rule;
  repeats = false;
  as_of = oldest;
  frontier.fill(oldest);
  session_ = session;
  oldest_ = oldest;
  reads_.clear();
  seen_.clear();
}

bool View::saw(Instant at) const {
  return std::binary_search(seen_.begin(), seen_.end(), at);
}

// Whether nothing older than the version may be read.
bool View::holds_at(const Version& version) const {
  if (version.at <= oldest_ || saw(version.at)) return true;
  return (rule == Rule::atomic || repeats) && version.session == session_;
}

const View::Read* View::read_of(std::uint32_t key) const {
  const auto read = std::lower_bound(
      reads_.begin(), reads_.end(), key,
      [](const Read& r, std::uint32_t wanted) { return r.key < wanted; });
  return read != reads_.end() && read->key == key ? &*read : nullptr;
}

// Whether its writer also wrote a key of which an older version has been read.
// The keys of both ascend, and the shorter list leads.
bool View::torn(const VersionStore& store, const Version& version) const {
  if (version.at <= oldest_) return false;
  const std::vector<std::uint32_t>& keys = store.commit_at(version.at).keys;
  if (keys.size() <= reads_.size()) {
    return std::any_of(keys.begin(), keys.end(), [&](std::uint32_t key) {
      const Read* read = read_of(key);
      return read != nullptr && read->at < version.at;
    });
  }
  return std::any_of(reads_.begin(), reads_.end(), [&](const Read& read) {
    return read.at < version.at &&
           std::binary_search(keys.begin(), keys.end(), read.key);
  });
}

std::ptrdiff_t View::choose(const VersionStore& store, std::uint32_t number,
                            bool newest, Random& random) const {
  const Key& key = store[number];
  if (rule == Rule::prefix) return version_at(key, as_of);
  std::ptrdiff_t chosen = last_of(key);
  if (rule == Rule::replica) {
    while (chosen >= 0 && !received(frontier, version_of(key, chosen))) {
      --chosen;
    }
    return chosen;
  }
  if (rule == Rule::atomic || repeats) {
    if (const Read* read = read_of(number)) return version_at(key, read->at);
  }
  while (chosen >= 0 && !newest && !holds_at(version_of(key, chosen)) &&
         random.below(2) == 0) {
    --chosen;
  }
  if (rule == Rule::atomic) {
    while (chosen >= 0 && torn(store, version_of(key, chosen))) --chosen;
  }
  return chosen;
}

void View::note(const VersionStore& store, std::uint32_t number,
                std::ptrdiff_t chosen) {
  const Instant at =
      chosen == kAbsent ? 0 : version_of(store[number], chosen).at;
  const auto read = std::lower_bound(
      reads_.begin(), reads_.end(), number,
      [](const Read& r, std::uint32_t wanted) { return r.key < wanted; });
  if (read == reads_.end() || read->key != number) {
    reads_.insert(read, {number, at});
  }
  if (at == 0) return;
  const auto place = std::lower_bound(seen_.begin(), seen_.end(), at);
  if (place == seen_.end() || *place != at) seen_.insert(place, at);
}

bool View::goes_back(const VersionStore& store, std::uint32_t number,
                     std::ptrdiff_t chosen) const {
  return newest_seen(store[number]) > chosen;
}

std::ptrdiff_t View::newest_seen(const Key& key) const {
  if (seen_.empty()) return kAbsent;
  std::ptrdiff_t version = last_of(key);
  while (version >= 0 && !saw(version_of(key, version).at)) {
    // Older ones are older than all that was read.
    if (version_of(key, version).at < seen_.front()) return kAbsent;
    --version;
  }
  return version;
}

}  // namespace awdit::simulated
