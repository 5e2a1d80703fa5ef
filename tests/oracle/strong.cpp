// The axioms above causal, straight from Biswas and Enea (OOPSLA 2019): if t3
// reads key x from t1, and t2, which t3 must have seen, also writes x, then t2
// comes before t1. The order of versions is the order of commits. What t3 must
// have seen:
//
//   prefix     whoever commits no later than one from which t3 reads or which
//              comes before it in its session: co* ; (so u wr)
//   snapshot   besides, whoever commits no later than one that commits before
//              t3 and writes a key that t3 writes: co* ; ww
//   serial     whoever commits before t3: co
//   parallel   whatever leads to t3 by so, wr and ww (Cerone, Bernardi and
//              Gotsman, CONCUR 2015)
//   real time  who ended before t3 began commits before it; and with snapshots:
//              co* ; ended-before
//
// `replays` says the same of snapshots in other words: what t3 must have seen
// is in its snapshot, and it reads the newest version there.
#include <algorithm>

#include "oracle/list_replay.h"
#include "oracle/oracle.h"

namespace awdit::oracle {
namespace {

bool write_a_common_key(const Facts& facts, std::uint32_t a, std::uint32_t b) {
  return std::any_of(
      facts.writers.begin(), facts.writers.end(), [&](const auto& writers) {
        return writers.second.contains(a) && writers.second.contains(b);
      });
}

// Whom t3 sees directly: all that commit before one of these are seen as well.
std::set<std::uint32_t> seen_directly(const Facts& facts, const Oracle& oracle,
                                      const Ranks& ranks, std::uint32_t t3) {
  std::set<std::uint32_t> seen = facts.directly_before[t3];
  if (oracle.real_time) {
    seen.insert(facts.ended_before[t3].begin(), facts.ended_before[t3].end());
  }
  if (oracle.reads == Reads::snapshot) {
    for (std::uint32_t t4 : facts.live) {
      if (ranks[t4] < ranks[t3] && write_a_common_key(facts, t4, t3)) {
        seen.insert(t4);
      }
    }
  }
  return seen;
}

// All that lead to t3 by so, wr and ww.
std::set<std::uint32_t> depended_on(const Facts& facts, const Ranks& ranks,
                                    std::uint32_t t3) {
  std::set<std::uint32_t> past;
  std::vector<std::uint32_t> open{t3};
  while (!open.empty()) {
    const std::uint32_t b = open.back();
    open.pop_back();
    if (b == facts.init) continue;
    std::set<std::uint32_t> before = facts.directly_before[b];
    for (std::uint32_t a : facts.live) {
      if (ranks[a] < ranks[b] && write_a_common_key(facts, a, b)) {
        before.insert(a);
      }
    }
    for (std::uint32_t a : before) {
      if (past.insert(a).second) open.push_back(a);
    }
  }
  return past;
}

}  // namespace

bool fits(const Facts& facts, const Oracle& oracle, const Ranks& ranks,
          std::uint32_t t3) {
  if (oracle.real_time) {
    for (std::uint32_t t : facts.ended_before[t3]) {
      if (ranks[t] >= ranks[t3]) return false;
    }
  }
  std::size_t newest_seen = 0;
  std::set<std::uint32_t> past;
  if (oracle.reads == Reads::parallel) past = depended_on(facts, ranks, t3);
  if (oracle.has_snapshots()) {
    for (std::uint32_t t4 : seen_directly(facts, oracle, ranks, t3)) {
      newest_seen = std::max(newest_seen, ranks[t4]);
    }
  }
  for (const Read& read : facts.reads) {
    if (read.reader != t3) continue;
    for (std::uint32_t t2 : facts.writers.at(read.key)) {
      if (t2 == read.writer || t2 == t3) continue;
      const bool seen = oracle.reads == Reads::serial ? ranks[t2] < ranks[t3]
                        : oracle.reads == Reads::parallel
                            ? past.contains(t2)
                            : ranks[t2] <= newest_seen;
      if (seen && ranks[t2] >= ranks[read.writer]) return false;
    }
  }
  return true;
}

std::vector<std::uint32_t> smallest_snapshots(
    const Facts& facts, const Oracle& oracle,
    const std::vector<std::uint32_t>& order) {
  Ranks ranks(facts.init + 1, 0);
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = i + 1;
  std::vector<std::uint32_t> snapshots;
  for (std::uint32_t t3 : order) {
    std::size_t newest = 0;
    for (std::uint32_t t4 : seen_directly(facts, oracle, ranks, t3)) {
      newest = std::max(newest, ranks[t4]);
    }
    snapshots.push_back(static_cast<std::uint32_t>(newest));
  }
  return snapshots;
}

bool replays(const Facts& facts, const Oracle& oracle,
             const std::vector<std::uint32_t>& order,
             const std::vector<std::uint32_t>& snapshots) {
  const std::set<std::uint32_t> listed(order.begin(), order.end());
  if (listed != facts.live || order.size() != listed.size()) return false;
  if (snapshots.size() != order.size()) return false;
  if (facts.lists) return replays_lists(facts, oracle, order, snapshots);
  if (!facts.read_findings.empty()) return false;
  // key -> the writer of the newest version, after the first i commits
  std::vector<std::map<std::uint32_t, std::uint32_t>> states(1);
  for (const auto& [key, writers] : facts.writers) {
    if (writers.contains(facts.init)) states[0][key] = facts.init;
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t t = order[i];
    if (snapshots[i] > i) return false;
    std::set<std::uint32_t> seen(order.begin(), order.begin() + snapshots[i]);
    seen.insert(facts.init);
    const auto sees = [&](const std::set<std::uint32_t>& all) {
      return std::includes(seen.begin(), seen.end(), all.begin(), all.end());
    };
    if (!sees(facts.directly_before[t])) return false;
    if (oracle.real_time && !sees(facts.ended_before[t])) return false;
    std::map<std::uint32_t, std::uint32_t> next = states[i];
    for (const auto& [key, writers] : facts.writers) {
      if (!writers.contains(t)) continue;
      const auto newest = next.find(key);
      if (oracle.reads == Reads::snapshot && newest != next.end() &&
          !seen.contains(newest->second)) {
        return false;
      }
      next[key] = t;
    }
    states.push_back(std::move(next));
    const auto& state = states[snapshots[i]];
    for (const Read& read : facts.reads) {
      if (read.reader != t) continue;
      const auto newest = state.find(read.key);
      if (newest == state.end() || newest->second != read.writer) return false;
    }
  }
  return true;
}

}  // namespace awdit::oracle
