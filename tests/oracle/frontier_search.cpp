// A state is how far each session has come. A transaction has two events, its
// snapshot and its commit (serial: one, both at once). The next event of a
// session may happen
//   snapshot  if all it reads from, and (real time) all that ended before it
//             began, have committed; what it reads is then still the newest,
//             because of the next rule
//   commit    if everybody who reads an older version of a key that it writes,
//             written by one that has committed, has its snapshot; (snapshot
//             isolation) if no other transaction that writes one of its keys
//             lies between its snapshot and its commit.
// Lists are played otherwise: list_frontier.cpp. Since the rules look at
// nothing but the state, a state from which there was no way to the end need
// not be visited twice.
#include <algorithm>
#include <set>

#include "oracle/search.h"

namespace awdit::oracle {
namespace {

class Frontier {
 public:
  Frontier(const Facts& facts, const Oracle& oracle, std::uint64_t states)
      : facts_(facts),
        oracle_(oracle),
        events_(oracle.reads == Reads::serial ? 1 : 2),
        left_(states) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> sessions;
    for (std::uint32_t t : facts.live) sessions[facts.session[t]].push_back(t);
    for (auto& [session, txns] : sessions) sessions_.push_back(txns);
    state_.resize(sessions_.size(), 0);
    place_.resize(facts.init);
    for (std::size_t s = 0; s < sessions_.size(); ++s) {
      for (std::size_t i = 0; i < sessions_[s].size(); ++i) {
        place_[sessions_[s][i]] = {s, i};
      }
    }
    written_.resize(facts.init);
    for (const auto& [key, writers] : facts.writers) {
      for (std::uint32_t t : writers) {
        if (t != facts.init) written_[t].push_back(key);
      }
    }
    for (const Read& read : facts.reads) readers_[read.key].push_back(read);
  }

  std::optional<bool> run() {
    // Depth first, without recursion: the states on the way, and which session
    // to try next in each.
    std::vector<std::size_t> next{0};
    std::vector<std::size_t> moved;  // sessions
    for (;;) {
      if (finished()) return true;
      std::size_t& session = next.back();
      while (session < sessions_.size() && !may_move(session)) ++session;
      if (session == sessions_.size()) {
        next.pop_back();
        if (next.empty()) return false;
        --state_[moved.back()];
        moved.pop_back();
        continue;
      }
      ++state_[session];
      moved.push_back(session++);
      next.push_back(0);
      if (!visited_.insert(state_).second) {
        next.pop_back();
        --state_[moved.back()];
        moved.pop_back();
      } else if (left_-- == 0) {
        return std::nullopt;
      }
    }
  }

 private:
  struct Place {
    std::size_t session;
    std::size_t position;
  };

  bool finished() const {
    for (std::size_t s = 0; s < sessions_.size(); ++s) {
      if (state_[s] < sessions_[s].size() * events_) return false;
    }
    return true;
  }

  bool committed(std::uint32_t t) const {
    if (t == facts_.init) return true;
    const Place at = place_[t];
    return state_[at.session] >= (at.position + 1) * events_;
  }
  bool has_snapshot(std::uint32_t t) const {
    const Place at = place_[t];
    return state_[at.session] > at.position * events_;
  }

  bool may_move(std::size_t session) const {
    const std::size_t done = state_[session];
    if (done == sessions_[session].size() * events_) return false;
    const std::uint32_t t = sessions_[session][done / events_];
    if (events_ == 1) return may_look(t) && may_commit(t);
    return done % 2 == 0 ? may_look(t) : may_commit(t);
  }

  bool may_look(std::uint32_t t) const {
    const auto all_committed = [&](const std::set<std::uint32_t>& txns) {
      return std::all_of(txns.begin(), txns.end(),
                         [&](std::uint32_t a) { return committed(a); });
    };
    if (oracle_.real_time && !all_committed(facts_.ended_before[t])) {
      return false;
    }
    // Of two different versions of a key at most one is the newest. Whoever
    // reads in vain here keeps the other one from ever being overwritten, or
    // finds it overwritten already.
    std::map<std::uint32_t, std::uint32_t> read_from;
    for (const Read& read : facts_.reads) {
      if (read.reader != t) continue;
      if (read_from.try_emplace(read.key, read.writer).first->second !=
          read.writer) {
        return false;
      }
    }
    return all_committed(facts_.directly_before[t]);
  }

  bool may_commit(std::uint32_t t) const {
    for (std::uint32_t key : written_[t]) {
      const auto readers = readers_.find(key);
      if (readers != readers_.end()) {
        for (const Read& read : readers->second) {
          if (read.reader != t && committed(read.writer) &&
              !has_snapshot(read.reader)) {
            return false;
          }
        }
      }
      if (oracle_.reads != Reads::snapshot) continue;
      for (std::uint32_t other : facts_.writers.at(key)) {
        if (other != t && other != facts_.init && has_snapshot(other) &&
            !committed(other)) {
          return false;
        }
      }
    }
    return true;
  }

  const Facts& facts_;
  const Oracle& oracle_;
  std::size_t events_;  // per transaction
  std::uint64_t left_;
  std::vector<std::vector<std::uint32_t>> sessions_;
  std::vector<Place> place_;                            // [txn]
  std::vector<std::vector<std::uint32_t>> written_;     // [txn] -> keys
  std::map<std::uint32_t, std::vector<Read>> readers_;  // key -> its reads
  std::vector<std::size_t> state_;                      // [session] -> events
  std::set<std::vector<std::size_t>> visited_;
};

}  // namespace

std::optional<bool> frontier_search(const Facts& facts, const Oracle& oracle,
                                    std::uint64_t states) {
  if (facts.lists) return list_frontier_search(facts, oracle, states);
  if (!facts.read_findings.empty()) return false;
  return Frontier(facts, oracle, states).run();
}

}  // namespace awdit::oracle
