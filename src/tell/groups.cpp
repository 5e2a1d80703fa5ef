#include "tell/groups.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/flat_index.h"
#include "tell/exhibit.h"
#include "tell/proof.h"

namespace awdit {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  return mix64(hash ^ word);
}

// Equal for violations of one group; 64 bits, so that others practically never
// meet. Those of two levels are two groups: what is told of a level adds up to
// what its verdict says.
std::uint64_t group_of(const History& history, std::size_t level,
                       const Violation& violation) {
  std::uint64_t hash = mix(level, static_cast<std::uint64_t>(violation.kind));
  for (const KeyId key : keys_of(history, violation)) hash = mix(hash, key.v);
  hash = mix(hash, kNoId);
  for (const SessionId session : sessions_of(history, violation)) {
    const Atom label = history.session_atom(session);
    hash = mix(mix(hash, label.bits), static_cast<std::uint64_t>(label.kind));
  }
  return hash;
}

// How much there is to read.
std::size_t weight(const Violation& violation) {
  std::size_t steps = 0;
  walk(
      violation, [&](const Edge&) { ++steps; },
      [&](const Step&) { steps += 2; }, [&](const Lemma&) { ++steps; });
  return steps;
}

}  // namespace

std::vector<SessionId> sessions_of(const History& history,
                                   const Violation& violation) {
  std::vector<SessionId> sessions;
  for (const TxnId txn : transactions_of(history, violation)) {
    sessions.push_back(history.session(txn));
  }
  std::ranges::sort(sessions);
  // Where their order does not count, sessions are told apart by name.
  sessions.erase(std::unique(sessions.begin(), sessions.end(),
                             [&](SessionId a, SessionId b) {
                               return history.session_atom(a) ==
                                      history.session_atom(b);
                             }),
                 sessions.end());
  return sessions;
}

std::vector<Group> groups_of(const History& history,
                             std::span<const LevelDigest> digests) {
  std::vector<Group> groups;
  std::unordered_map<std::uint64_t, std::size_t> known;  // hash -> group
  for (std::size_t level = 0; level < digests.size(); ++level) {
    for (const Violation* violation : digests[level].fresh) {
      const auto [at, added] =
          known.emplace(group_of(history, level, *violation), groups.size());
      if (added) {
        groups.push_back({violation, level, 1});
        continue;
      }
      Group& group = groups[at->second];
      ++group.count;
      if (weight(*violation) < weight(*group.speaker)) {
        group.speaker = violation;
      }
    }
  }
  std::ranges::stable_sort(groups, [](const Group& a, const Group& b) {
    return std::tuple(a.level, a.speaker->kind, b.count) <
           std::tuple(b.level, b.speaker->kind, a.count);
  });
  return groups;
}

}  // namespace awdit
