// What must come before what in a history of lists.
//
// Idea: lists show the order of a key's versions, so whoever read one must come
// before the maker of the next. With that, session order, reads-from and the
// order of versions, all that an order must respect is known: one graph, whose
// strongly connected components are transactions alone, unless a level above
// causal may be violated. Cycles stay within a component (a *tangle*), so
// whether one of them is forbidden is a question about the few in tangles, and
// an order of these fits into that of the others: whatever leads from one
// component to another leads forward.
// Those who appended to a key, but are in no list of it, come after all who
// read the longest list; among themselves any order will do, as nobody has seen
// one. Each of them after each of those readers would be a square; so a key has
// a node of its own that stands between the two (a hub).
// Cost: O(n) expected; 8 bytes per read and append while the graph is made, and
// 20 per transaction.
// Source: R. Tarjan, Depth-first search and linear graph algorithms, 1972; here
// on predecessors, so that components come out in their order.
#include "check/shown_order.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/budget.h"
#include "base/number_lists.h"
#include "base/parallel.h"
#include "check/by_key.h"
#include "check/key_map.h"
#include "check/sources.h"

namespace awdit {
namespace {

struct Before {
  std::uint32_t later;  // a transaction, or the hub of a key
  std::uint32_t earlier;
};

// What one key shows.
class KeyOrder {
 public:
  KeyOrder(const Index& index, std::uint32_t hub)
      : index_(index), init_(index.history().init_txn().v), hub_(hub) {}

  void add(std::uint32_t key, std::span<const KeyedOp> tuples) {
    find_makers(key, tuples);
    readers_.clear();
    for (const KeyedOp& read : tuples) {
      const std::uint32_t source = index_.sources()[read.op];
      if (!is_external(source)) continue;
      const std::uint32_t next = next_of(source);
      if (next == kAnyUnlisted) {
        if (readers_.empty() || readers_.back() != read.txn) {
          readers_.push_back(read.txn);
        }
      } else if (next != kNobody && next != read.txn) {
        found.push_back({next, read.txn});
      }
    }
    put_readers_first(hub_ + key);
  }

  std::vector<Before> found;

 private:
  // Those who are in a list, in its order, and the others.
  void find_makers(std::uint32_t key, std::span<const KeyedOp> tuples) {
    const ListVersions& versions = index_.versions();
    const auto at = std::ranges::lower_bound(versions.keys, key, {},
                                             &ListVersions::Key::key);
    const std::span<const std::uint32_t> txns = versions.txns;
    unlisted_.clear();
    if (at != versions.keys.end() && at->key == key) {
      listed_ = txns.subspan(at->first, at->ordered - at->first);
      const auto others = txns.subspan(at->ordered, at->end - at->ordered);
      unlisted_.assign(others.begin(), others.end());
    } else {
      // One alone, or nobody who is in a list.
      listed_ = {};
      for (const KeyedOp& tuple : tuples) {
        if (!tuple.is_write()) continue;
        if (unlisted_.empty() || unlisted_.back() != tuple.txn) {
          unlisted_.push_back(tuple.txn);
        }
      }
    }
    places_.reset(listed_.size());
    for (std::uint32_t i = 0; i < listed_.size(); ++i) {
      places_.insert(listed_[i], i);
    }
  }

  static constexpr std::uint32_t kAnyUnlisted = kNoId;
  static constexpr std::uint32_t kNobody = kNoId - 1;

  // The maker of the version after that of `source`.
  std::uint32_t next_of(std::uint32_t source) {
    std::uint32_t next = 0;
    if (source != init_) {
      const std::uint32_t* const place = places_.find(source);
      // The only one who appended, read by somebody.
      if (place == nullptr) return kNobody;
      next = *place + 1;
    }
    return next == listed_.size() ? kAnyUnlisted : listed_[next];
  }

  // The unlisted come after those who read the longest list, but a reader who
  // is one of them not after itself. Of two such each comes before the other.
  void put_readers_first(std::uint32_t hub) {
    if (unlisted_.empty() || readers_.empty()) return;
    places_.reset(unlisted_.size());
    for (const std::uint32_t txn : unlisted_) places_.insert(txn, 0);
    const auto is_unlisted = [&](std::uint32_t reader) {
      return places_.find(reader) != nullptr;
    };
    const auto both = std::ranges::find_if(readers_, is_unlisted);
    const bool one =
        both != readers_.end() &&
        std::find_if(both + 1, readers_.end(), is_unlisted) == readers_.end();
    for (const std::uint32_t reader : readers_) {
      if (!one || reader != *both) found.push_back({hub, reader});
    }
    for (const std::uint32_t txn : unlisted_) {
      if (!one || readers_.size() > 1) found.push_back({txn, hub});
      if (one && txn != *both) found.push_back({txn, *both});
    }
  }

  const Index& index_;
  const std::uint32_t init_;
  const std::uint32_t hub_;  // of key 0
  std::span<const std::uint32_t> listed_;
  std::vector<std::uint32_t> unlisted_;
  std::vector<std::uint32_t> readers_;  // of the longest list
  KeyMap<std::uint32_t> places_;        // [transaction]
};

// [transaction or hub] -> who must come before it because of lists.
NumberLists earlier_ones(const Index& index) {
  const History& history = index.history();
  const std::uint32_t hub = history.num_txns();
  std::vector<KeyOrder> workers(index.threads(), KeyOrder(index, hub));
  for_each_key<KeyedOp>(
      history, make_key_layout(history, {}, index.threads()),
      index.order().subspan(1), index.threads(), KeyedOp::make,
      [&](unsigned worker, std::uint32_t key, std::span<KeyedOp> tuples) {
        workers[worker].add(key, tuples);
      });
  NumberLists earlier(std::size_t{hub} + history.num_keys(), [&](auto&& add) {
    index.versions().for_each_pair([&](std::uint32_t older, std::uint32_t newer,
                                       std::uint32_t) { add(newer, older); });
    for (const KeyOrder& worker : workers) {
      for (const Before& pair : worker.found) add(pair.later, pair.earlier);
    }
  });
  // Which worker got which key is chance; the result is not.
  constexpr std::size_t kParts = 64;
  const std::size_t lists = earlier.first.size() - 1;
  parallel_for(kParts, index.threads(), [&](std::size_t part, unsigned) {
    const std::size_t end = lists * (part + 1) / kParts;
    for (std::size_t i = lists * part / kParts; i < end; ++i) {
      std::sort(earlier.items.begin() + earlier.first[i],
                earlier.items.begin() + earlier.first[i + 1]);
    }
  });
  return earlier;
}

class Search {
 public:
  Search(const Index& index, const NumberLists& earlier)
      : index_(index),
        history_(index.history()),
        earlier_(earlier),
        number_(earlier.first.size() - 1, kUnseen),
        low_(number_.size()) {}

  ShownOrder run() {
    Pace pace(index_.budget());
    result_.txns.reserve(index_.order().size());
    for (const std::uint32_t root : index_.order().subspan(1)) {
      if (number_[root] == kUnseen) enter(root);
      while (!path_.empty()) {
        pace.step();
        step();
      }
    }
    return std::move(result_);
  }

 private:
  struct Frame {
    std::uint32_t node;
    std::uint32_t next = 0;  // of those that come before it
  };

  void enter(std::uint32_t node) {
    number_[node] = low_[node] = counter_++;
    open_.push_back(node);
    path_.push_back({node});
  }

  void step() {
    const std::uint32_t node = path_.back().node;
    std::uint32_t earlier = kNoId;
    if (!take_earlier(path_.back(), earlier)) {
      path_.pop_back();
      if (!path_.empty()) {
        std::uint32_t& above = low_[path_.back().node];
        above = std::min(above, low_[node]);
      }
      if (low_[node] == number_[node]) close(node);
    } else if (earlier == kNoId) {
      return;
    } else if (number_[earlier] == kUnseen) {
      enter(earlier);
    } else if (number_[earlier] != kClosed) {
      low_[node] = std::min(low_[node], number_[earlier]);
    }
  }

  // The next one that comes before the frame's node, or kNoId, which is none.
  // Returns false if there are no more.
  bool take_earlier(Frame& frame, std::uint32_t& earlier) const {
    const std::uint32_t node = frame.node;
    std::uint32_t next = frame.next++;
    if (node < history_.num_txns()) {
      if (next-- == 0) {
        earlier = index_.previous(node);
        return true;
      }
      const History::OpSpan ops = history_.txn_ops()[node];
      if (next < ops.size()) {
        const std::uint32_t source = index_.sources()[ops.begin + next];
        if (source < history_.num_txns()) earlier = source;
        return true;
      }
      next -= ops.size();
    }
    const auto list = earlier_[node];
    if (next >= list.size()) return false;
    earlier = list[next];
    return true;
  }

  // All that was entered from `node` on is one component.
  void close(std::uint32_t node) {
    const auto begin = static_cast<std::uint32_t>(result_.txns.size());
    for (std::uint32_t member = kNoId; member != node;) {
      member = open_.back();
      open_.pop_back();
      number_[member] = kClosed;
      if (member < history_.num_txns()) result_.txns.push_back(member);
    }
    const auto end = static_cast<std::uint32_t>(result_.txns.size());
    if (end - begin < 2) return;
    std::ranges::sort(result_.txns.begin() + begin, result_.txns.end(), {},
                      [&](std::uint32_t txn) { return index_.ranks()[txn]; });
    result_.tangles.push_back({begin, end});
  }

  static constexpr std::uint32_t kUnseen = kNoId;
  static constexpr std::uint32_t kClosed = kNoId - 1;

  const Index& index_;
  const History& history_;
  const NumberLists& earlier_;
  // [transaction or hub]
  std::vector<std::uint32_t> number_;  // in the order of entering
  std::vector<std::uint32_t> low_;     // the lowest that it leads to
  std::vector<std::uint32_t> open_;
  std::vector<Frame> path_;
  std::uint32_t counter_ = 0;
  ShownOrder result_;
};

}  // namespace

ShownOrder shown_order(const Index& index) {
  const NumberLists earlier = earlier_ones(index);
  return Search(index, earlier).run();
}

std::vector<std::uint32_t> tangled_txns(const Index& index,
                                        const ShownOrder& order) {
  const History& history = index.history();
  const ListVersions& versions = index.versions();
  std::vector<std::uint32_t> txns;
  for (const ShownOrder::Tangle& tangle : order.tangles) {
    for (std::uint32_t i = tangle.begin; i < tangle.end; ++i) {
      txns.push_back(order.txns[i]);
      for (const OpId op : history.ops(TxnId(order.txns[i]))) {
        const std::uint32_t source = index.sources()[op.v];
        if (source < history.num_txns()) txns.push_back(source);
        const auto key = std::ranges::lower_bound(
            versions.keys, history.key(op).v, {}, &ListVersions::Key::key);
        if (key != versions.keys.end() && key->key == history.key(op).v) {
          txns.push_back(history.txn_of(key->shown).v);
        }
      }
    }
  }
  std::ranges::sort(txns, {},
                    [&](std::uint32_t txn) { return index.ranks()[txn]; });
  txns.erase(std::unique(txns.begin(), txns.end()), txns.end());
  return txns;
}

Joined join(const ShownOrder& order, std::span<const std::uint32_t> txns,
            const Solution& solution) {
  Joined joined{order.txns, {}};
  const bool snapshots = !solution.snapshots.empty();
  if (snapshots) {
    joined.snapshots.resize(order.txns.size());
    std::iota(joined.snapshots.begin(), joined.snapshots.end(), 0u);
  }
  // [txn] -> its tangle; there are few
  std::unordered_map<std::uint32_t, std::uint32_t> tangle_of;
  for (std::uint32_t i = 0; i < order.tangles.size(); ++i) {
    const ShownOrder::Tangle& tangle = order.tangles[i];
    for (std::uint32_t at = tangle.begin; at < tangle.end; ++at) {
      tangle_of[order.txns[at]] = i;
    }
  }
  std::vector<std::vector<std::uint32_t>> places(order.tangles.size());
  for (std::uint32_t place = 0; place < solution.order.size(); ++place) {
    const auto tangle = tangle_of.find(txns[solution.order[place]]);
    if (tangle != tangle_of.end()) places[tangle->second].push_back(place);
  }
  for (std::uint32_t i = 0; i < order.tangles.size(); ++i) {
    std::uint32_t at = order.tangles[i].begin;
    for (const std::uint32_t place : places[i]) {
      joined.order[at] = txns[solution.order[place]];
      if (snapshots) {
        joined.snapshots[at] =
            order.tangles[i].begin +
            static_cast<std::uint32_t>(
                std::ranges::lower_bound(places[i], solution.snapshots[place]) -
                places[i].begin());
      }
      ++at;
    }
  }
  return joined;
}

}  // namespace awdit
