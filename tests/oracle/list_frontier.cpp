// The frontier search of lists: a state is how far each session has come, and
// which list each key has now. A transaction has two events, its snapshot and
// its commit (serial: one, both at once). The next event of a session may
// happen
//   snapshot  if (real time) all that ended before it began have committed, and
//             the lists are now what it read, but for its own appends
//   commit    if those to which it saw own appends added are still so;
//             (snapshot isolation) if no other transaction that appends to one
//             of its keys lies between its snapshot and its commit; and if the
//             lists that follow lead on to all that were read: nobody still
//             needs a list as it was, and none is contradicted.
// The last rule only spares us dead ends. What is behind the longest list that
// was read of a key is nobody's business: of that a state knows only whether
// there is anything.
#include <algorithm>
#include <set>

#include "oracle/search.h"

namespace awdit::oracle {
namespace {

bool begins(const List& list, const List& longer) {
  return list.size() <= longer.size() &&
         std::equal(list.begin(), list.end(), longer.begin());
}

class Frontier {
 public:
  Frontier(const Facts& facts, const Oracle& oracle, std::uint64_t states)
      : facts_(facts),
        oracle_(oracle),
        events_(oracle.reads == Reads::serial ? 1 : 2),
        left_(states),
        reads_(facts.keys),
        longest_(facts.keys, 0) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> sessions;
    for (std::uint32_t t : facts.live) sessions[facts.session[t]].push_back(t);
    for (auto& [session, txns] : sessions) sessions_.push_back(txns);
    place_.resize(facts.init);
    for (std::size_t s = 0; s < sessions_.size(); ++s) {
      for (std::size_t i = 0; i < sessions_[s].size(); ++i) {
        place_[sessions_[s][i]] = {s, i};
      }
    }
    for (std::uint32_t t : facts.live) {
      for (const ListRead& read : facts.list_reads[t]) {
        reads_[read.key].push_back(&read);
        longest_[read.key] = std::max(longest_[read.key], read.list.size());
      }
    }
  }

  // Depth first, without recursion: the states on the way, and which session to
  // try next in each.
  std::optional<bool> run() {
    struct Step {
      State state;
      std::size_t next;
    };
    State start;
    start.done.resize(sessions_.size(), 0);
    start.lists.resize(facts_.keys);
    std::vector<Step> way{{start, 0}};
    std::set<State> visited{start};
    while (!way.empty()) {
      Step& here = way.back();
      if (finished(here.state)) return true;
      if (here.next == sessions_.size()) {
        way.pop_back();
        continue;
      }
      std::optional<State> state = moved(here.state, here.next++);
      if (!state || !visited.insert(*state).second) continue;
      if (left_-- == 0) return std::nullopt;
      way.push_back({std::move(*state), 0});
    }
    return false;
  }

 private:
  struct Place {
    std::size_t session;
    std::size_t position;
  };
  struct State {
    std::vector<std::size_t> done;  // [session] -> events
    std::vector<List> lists;        // [key]
    friend auto operator<=>(const State&, const State&) = default;
  };

  bool finished(const State& state) const {
    for (std::size_t s = 0; s < sessions_.size(); ++s) {
      if (state.done[s] < sessions_[s].size() * events_) return false;
    }
    return true;
  }
  bool committed(const State& state, std::uint32_t t) const {
    const Place at = place_[t];
    return state.done[at.session] >= (at.position + 1) * events_;
  }
  bool has_snapshot(const State& state, std::uint32_t t) const {
    const Place at = place_[t];
    return state.done[at.session] > at.position * events_;
  }

  // The state after the session's next event, if that may happen.
  std::optional<State> moved(const State& state, std::size_t session) const {
    const std::size_t done = state.done[session];
    if (done == sessions_[session].size() * events_) return std::nullopt;
    const std::uint32_t t = sessions_[session][done / events_];
    const bool looks = events_ == 1 || done % 2 == 0;
    const bool commits = events_ == 1 || done % 2 == 1;
    if (looks && !may_look(state, t)) return std::nullopt;
    if (commits && !may_commit(state, t)) return std::nullopt;
    State next = state;
    ++next.done[session];
    if (commits) {
      for (const auto& [key, block] : facts_.blocks[t])
        append(next, key, block);
    }
    return next;
  }

  // Whether the read returned the list as it is now, with own appends behind.
  static bool shows(const State& state, const ListRead& read) {
    List now = state.lists[read.key];
    now.insert(now.end(), read.own.begin(), read.own.end());
    return read.list == now;
  }

  bool may_look(const State& state, std::uint32_t t) const {
    for (std::uint32_t a : facts_.ended_before[t]) {
      if (oracle_.real_time && !committed(state, a)) return false;
    }
    for (const ListRead& read : facts_.list_reads[t]) {
      if (!shows(state, read)) return false;
      if (read.list.empty() && !facts_.writes(facts_.init, read.key)) {
        return false;
      }
    }
    return true;
  }

  bool may_commit(const State& state, std::uint32_t t) const {
    for (const ListRead& read : facts_.list_reads[t]) {
      if (!read.own.empty() && !shows(state, read)) return false;
    }
    for (const auto& [key, block] : facts_.blocks[t]) {
      for (std::uint32_t other : facts_.writers.at(key)) {
        if (oracle_.reads == Reads::snapshot && other != t &&
            other != facts_.init && has_snapshot(state, other) &&
            !committed(state, other)) {
          return false;
        }
      }
      List next = state.lists[key];
      next.insert(next.end(), block.begin(), block.end());
      for (const ListRead* read : reads_[key]) {
        if (!begins(read->list, next) && !begins(next, read->list)) {
          return false;
        }
        const bool waits = read->own.empty()
                               ? !has_snapshot(state, read->reader)
                               : !committed(state, read->reader);
        if (read->reader != t && waits && shows(state, *read)) return false;
      }
    }
    return true;
  }

  void append(State& state, std::uint32_t key, const List& block) const {
    List& list = state.lists[key];
    list.insert(list.end(), block.begin(), block.end());
    if (list.size() <= longest_[key]) return;
    list.resize(longest_[key]);
    list.push_back(kNone);
  }

  const Facts& facts_;
  const Oracle& oracle_;
  std::size_t events_;  // per transaction
  std::uint64_t left_;
  std::vector<std::vector<const ListRead*>> reads_;  // [key]
  std::vector<std::size_t> longest_;  // [key] -> list that was read
  std::vector<std::vector<std::uint32_t>> sessions_;
  std::vector<Place> place_;  // [txn]
};

}  // namespace

std::optional<bool> list_frontier_search(const Facts& facts,
                                         const Oracle& oracle,
                                         std::uint64_t states) {
  return Frontier(facts, oracle, states).run();
}

}  // namespace awdit::oracle
