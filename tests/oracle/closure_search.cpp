// The versions of a key are ordered pair by pair. Each pair has two ways, each
// of which stands for a few arcs (ww, and rw from the readers of the older
// version); a way whose arcs would close a cycle is impossible, and then the
// other one is taken; if neither is possible, the last guess was wrong. What is
// left open is guessed, in the order of ids. Arcs are kept transitively closed,
// in bits, so that a cycle is seen at once; a guess copies all of it, which is
// slow, and leaves nothing to undo.
//
// Points as in versions.cpp: one per transaction, or its snapshot and its
// commit. Parallel has no rw arcs: there it is impossible that "older before
// newer" while the newer one leads to a reader of the older one.
//
// Of lists those pairs that some list shows are ordered from the start.
#include <algorithm>

#include "oracle/search.h"

namespace awdit::oracle {
namespace {

class Closure {
 public:
  explicit Closure(std::size_t points)
      : words_((points + 63) / 64), reached_(points * words_, 0) {}

  bool leads(std::size_t from, std::size_t to) const {
    return (reached_[from * words_ + to / 64] >> (to % 64) & 1) != 0;
  }
  // REQUIRES: closes no cycle.
  void add(std::size_t from, std::size_t to) {
    if (leads(from, to)) return;
    for (std::size_t i = 0; i * words_ < reached_.size(); ++i) {
      if (i != from && !leads(i, from)) continue;
      for (std::size_t w = 0; w < words_; ++w) {
        reached_[i * words_ + w] |= reached_[to * words_ + w];
      }
      reached_[i * words_ + to / 64] |= std::uint64_t{1} << (to % 64);
    }
  }

 private:
  std::size_t words_;  // per point
  std::vector<std::uint64_t> reached_;
};

struct Pair {
  std::uint32_t key, a, b;
};

class Search {
 public:
  Search(const Facts& facts, const Oracle& oracle, std::uint64_t guesses)
      : facts_(facts),
        oracle_(oracle),
        split_(oracle.has_snapshots()),
        left_(guesses) {
    place_.resize(facts.init);
    std::size_t places = 0;
    for (std::uint32_t t : facts.live) place_[t] = places++;
    for (const Read& read : facts.reads) {
      readers_[{read.key, read.writer}].insert(read.reader);
    }
  }

  std::optional<bool> run() {
    State state{Closure(facts_.live.size() << (split_ ? 1 : 0)), {}};
    if (!begin(state)) return false;
    return extend(std::move(state));
  }

 private:
  struct State {
    Closure closure;
    std::vector<Pair> open;
  };

  std::size_t commit(std::uint32_t t) const {
    return split_ ? place_[t] * 2 + 1 : place_[t];
  }
  std::size_t snapshot(std::uint32_t t) const {
    return split_ ? place_[t] * 2 : place_[t];
  }

  static bool add(Closure& closure, std::size_t from, std::size_t to) {
    if (from == to || closure.leads(to, from)) return false;
    closure.add(from, to);
    return true;
  }

  // False: there is a cycle already.
  bool begin(State& state) const {
    for (std::uint32_t t : facts_.live) {
      if (split_ && !add(state.closure, snapshot(t), commit(t))) return false;
      std::set<std::uint32_t> before = facts_.directly_before[t];
      if (oracle_.real_time) {
        before.insert(facts_.ended_before[t].begin(),
                      facts_.ended_before[t].end());
      }
      before.erase(facts_.init);
      for (std::uint32_t a : before) {
        if (!add(state.closure, commit(a), snapshot(t))) return false;
      }
    }
    for (const auto& [key, writers] : facts_.writers) {
      for (std::uint32_t a : writers) {
        if (a == facts_.init) continue;
        if (writers.contains(facts_.init) &&
            !order(state.closure, key, facts_.init, a)) {
          return false;
        }
        for (std::uint32_t b : writers) {
          if (a < b && b != facts_.init) state.open.push_back({key, a, b});
        }
      }
    }
    for (const Facts::Listed& two : facts_.listed) {
      if (!order(state.closure, two.key, two.older, two.newer)) return false;
    }
    return true;
  }

  // Whether nothing speaks against it, one arc by itself.
  bool possible(const Closure& closure, std::uint32_t key, std::uint32_t older,
                std::uint32_t newer) const {
    if (older != facts_.init) {
      const std::size_t to =
          oracle_.reads == Reads::prefix ? commit(newer) : snapshot(newer);
      if (closure.leads(to, commit(older))) return false;
    }
    const auto readers = readers_.find({key, older});
    if (readers == readers_.end()) return true;
    return std::none_of(
        readers->second.begin(), readers->second.end(), [&](std::uint32_t r) {
          return r != newer && closure.leads(commit(newer), snapshot(r));
        });
  }

  bool order(Closure& closure, std::uint32_t key, std::uint32_t older,
             std::uint32_t newer) const {
    if (!possible(closure, key, older, newer)) return false;
    if (older != facts_.init &&
        !add(
            closure, commit(older),
            oracle_.reads == Reads::prefix ? commit(newer) : snapshot(newer))) {
      return false;
    }
    const auto readers = readers_.find({key, older});
    if (readers == readers_.end()) return true;
    for (std::uint32_t r : readers->second) {
      if (r == newer) continue;
      if (oracle_.reads == Reads::parallel) {
        if (closure.leads(newer_point(newer), snapshot(r))) return false;
        continue;
      }
      if (!add(closure, snapshot(r), commit(newer))) return false;
    }
    return true;
  }
  std::size_t newer_point(std::uint32_t t) const { return commit(t); }

  // Of parallel: an order of versions that was fine may no longer be so.
  bool still_fine(const Closure& closure) const {
    if (oracle_.reads != Reads::parallel) return true;
    for (const auto& [read, readers] : readers_) {
      const auto& [key, writer] = read;
      for (std::uint32_t newer : facts_.writers.at(key)) {
        if (newer == writer || newer == facts_.init) continue;
        if (writer != facts_.init &&
            !closure.leads(commit(writer), commit(newer))) {
          continue;
        }
        for (std::uint32_t r : readers) {
          if (r != newer && closure.leads(commit(newer), snapshot(r))) {
            return false;
          }
        }
      }
    }
    return true;
  }

  // Takes what cannot be otherwise; false: a pair has no way left.
  bool settle(State& state) const {
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<Pair> open;
      for (const Pair& pair : state.open) {
        const bool ab = possible(state.closure, pair.key, pair.a, pair.b);
        const bool ba = possible(state.closure, pair.key, pair.b, pair.a);
        if (ab && ba) {
          open.push_back(pair);
          continue;
        }
        if (!ab && !ba) return false;
        if (!order(state.closure, pair.key, ab ? pair.a : pair.b,
                   ab ? pair.b : pair.a)) {
          return false;
        }
        changed = true;
      }
      state.open = std::move(open);
    }
    return still_fine(state.closure);
  }

  // Recursion is as deep as there are guesses that were not refuted.
  std::optional<bool> extend(State state) {
    if (!settle(state)) return false;
    if (state.open.empty()) return true;
    if (left_-- == 0) return std::nullopt;
    const Pair pair = state.open.front();
    for (const bool ab : {true, false}) {
      State guess = state;
      guess.open.erase(guess.open.begin());
      if (!order(guess.closure, pair.key, ab ? pair.a : pair.b,
                 ab ? pair.b : pair.a)) {
        continue;
      }
      const std::optional<bool> answer = extend(std::move(guess));
      if (!answer || *answer) return answer;
    }
    return false;
  }

  const Facts& facts_;
  const Oracle& oracle_;
  bool split_;
  std::uint64_t left_;
  std::vector<std::size_t> place_;  // [txn]
  // (key, writer) -> readers
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>>
      readers_;
};

}  // namespace

std::optional<bool> closure_search(const Facts& facts, const Oracle& oracle,
                                   std::uint64_t guesses) {
  if (!facts.read_findings.empty()) return false;
  return Search(facts, oracle, guesses).run();
}

}  // namespace awdit::oracle
