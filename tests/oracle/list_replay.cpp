// The definition, word by word. The versions of a key are made by its appenders
// in commit order: the version before, followed by all that they append to it.
// A transaction that has not appended to the key yet reads one of the versions
// made before it, or the empty list of init. One that has reads the version
// right before its own, followed by what it has appended so far. Whoever made
// that version is the source of the read; with the sources the level's axiom is
// asked, in the same words as for plain values.
//
// Nothing here knows of findings: a list that nobody can have seen is no
// version in any order.
#include "oracle/list_replay.h"

#include <algorithm>
#include <limits>

namespace awdit::oracle {
namespace {

List joined(List list, const List& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

constexpr std::size_t kLater = std::numeric_limits<std::size_t>::max();

// Places one transaction after the other, and keeps the facts that follow.
struct Walk {
  Facts facts;
  ListReplay replay;
  Ranks ranks;
  std::size_t placed = 0;

  explicit Walk(const Facts& all)
      : facts(all), replay(facts), ranks(all.init + 1, kLater) {
    ranks[facts.init] = 0;
    facts.reads.clear();
    facts.listed.clear();
    facts.directly_before.assign(facts.init, {});
    facts.past.assign(facts.init, {});
  }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  bool place(std::uint32_t t) {
    std::set<std::uint32_t> before{facts.init};
    for (std::uint32_t a : facts.live) {
      if (!facts.so(a, t)) continue;
      if (ranks[a] == kLater) return false;
      before.insert(a);
    }
    const std::optional<std::vector<Read>> reads = replay.place(t);
    if (!reads) return false;
    for (const Read& read : *reads) {
      facts.reads.push_back(read);
      before.insert(read.writer);
    }
    for (std::uint32_t a : before) {
      facts.past[t].insert(a);
      if (a == facts.init) continue;
      facts.past[t].insert(facts.past[a].begin(), facts.past[a].end());
    }
    facts.directly_before[t] = std::move(before);
    ranks[t] = ++placed;
    return true;
  }

  void take_back(std::uint32_t t) {
    std::erase_if(facts.reads, [&](const Read& r) { return r.reader == t; });
    facts.directly_before[t].clear();
    facts.past[t].clear();
    ranks[t] = kLater;
    --placed;
    replay.take_back(t);
  }
};

// Recursion is as deep as there are transactions: seven or so.
bool extends(Walk& walk, const Oracle& oracle) {
  const Facts& facts = walk.facts;
  if (walk.placed == facts.live.size()) {
    return oracle.strong() || oracle.axiom(facts, walk.ranks);
  }
  for (std::uint32_t t : facts.live) {
    if (walk.ranks[t] <= walk.placed || !walk.place(t)) continue;
    // What the axioms above causal say about t depends on those before it only.
    if (!oracle.strong() || fits(facts, oracle, walk.ranks, t)) {
      if (extends(walk, oracle)) return true;
    }
    walk.take_back(t);
  }
  return false;
}

}  // namespace

ListReplay::ListReplay(const Facts& facts)
    : facts_(facts), versions_(facts.keys, {Version{facts.init, {}}}) {}

std::uint32_t ListReplay::source_of(const ListRead& read) const {
  const std::vector<Version>& versions = versions_[read.key];
  if (!read.own.empty()) {
    const Version& newest = versions.back();
    return read.list == joined(newest.list, read.own) ? newest.maker : kNone;
  }
  for (const Version& version : versions) {
    // Without an initial state nobody made the empty list.
    if (version.list == read.list && facts_.writes(version.maker, read.key)) {
      return version.maker;
    }
  }
  return kNone;
}

std::optional<std::vector<Read>> ListReplay::place(std::uint32_t t) {
  std::vector<Read> reads;
  for (const ListRead& read : facts_.list_reads[t]) {
    const std::uint32_t source = source_of(read);
    if (source == kNone) return std::nullopt;
    reads.push_back({read.op, t, source, read.key});
  }
  for (const auto& [key, block] : facts_.blocks[t]) {
    versions_[key].push_back({t, joined(versions_[key].back().list, block)});
  }
  return reads;
}

void ListReplay::take_back(std::uint32_t t) {
  for (const auto& [key, block] : facts_.blocks[t]) versions_[key].pop_back();
}

std::optional<Facts> told_along(const Facts& facts,
                                const std::vector<std::uint32_t>& order) {
  Walk walk(facts);
  for (std::uint32_t t : order) {
    if (!walk.place(t)) return std::nullopt;
  }
  return walk.facts;
}

bool some_order_of_lists(const Facts& facts, const Oracle& oracle) {
  Walk walk(facts);
  return extends(walk, oracle);
}

bool replays_lists(const Facts& facts, const Oracle& oracle,
                   const std::vector<std::uint32_t>& order,
                   const std::vector<std::uint32_t>& snapshots) {
  // [i] -> key -> its list after the first i commits
  std::vector<std::vector<List>> states{std::vector<List>(facts.keys)};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t t = order[i];
    if (snapshots[i] > i) return false;
    const auto seen = order.begin() + static_cast<long>(snapshots[i]);
    const auto sees = [&](std::uint32_t a) {
      return std::find(order.begin(), seen, a) != seen;
    };
    for (std::uint32_t a : facts.live) {
      if (facts.so(a, t) && !sees(a)) return false;
      if (oracle.real_time && facts.ended_before[t].contains(a) && !sees(a)) {
        return false;
      }
    }
    const std::vector<List>& snapshot = states[snapshots[i]];
    for (const ListRead& read : facts.list_reads[t]) {
      // Own appends follow what the snapshot shows, and that is still the
      // newest version when t commits.
      if (read.list != joined(snapshot[read.key], read.own)) return false;
      if (!read.own.empty() && snapshot[read.key] != states[i][read.key]) {
        return false;
      }
      if (read.list.empty() && !facts.writes(facts.init, read.key)) {
        return false;
      }
    }
    std::vector<List> next = states[i];
    for (const auto& [key, block] : facts.blocks[t]) {
      // Nobody else appended to it since the snapshot.
      if (oracle.reads == Reads::snapshot && snapshot[key] != next[key]) {
        return false;
      }
      next[key] = joined(next[key], block);
    }
    states.push_back(std::move(next));
  }
  return true;
}

}  // namespace awdit::oracle
