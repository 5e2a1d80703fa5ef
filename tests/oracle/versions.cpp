// A level above causal holds iff the versions of each key can be ordered so
// that no forbidden cycle of dependencies exists (Adya; Cerone and Gotsman,
// JACM 2018): so we try all orders, key by key, and give up as soon as there is
// one.
//
// Forbidden are, D being so, wr, ww and real time: any cycle of D and rw
// (serial); one of D ; rw? (snapshot); one of ww and (D without ww) ; rw?
// (prefix); D+ ; rw? leading back to where it began (parallel). Those of
// snapshot and prefix are plain cycles if each transaction is split into its
// snapshot and its commit: rw leads from a snapshot to a commit, all else from
// a commit to a snapshot, except that ww of prefix leads to a commit.
#include <algorithm>
#include <array>

#include "base/assert.h"
#include "oracle/oracle.h"

namespace awdit::oracle {
namespace {

using Mask = std::uint64_t;

// A graph of at most 64 points, closed transitively, small enough to copy.
struct Graph {
  std::array<Mask, 64> reached{};  // [point] -> by one step or more
  void add(std::size_t from, std::size_t to) {
    const Mask more = reached[to] | Mask{1} << to;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (i == from || (reached[i] >> from & 1) != 0) reached[i] |= more;
    }
  }
  bool leads(std::size_t from, std::size_t to) const {
    return (reached[from] >> to & 1) != 0;
  }
  bool cyclic() const {
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (leads(i, i)) return true;
    }
    return false;
  }
};

class Versions {
 public:
  Versions(const Facts& facts, const Oracle& oracle)
      : facts_(facts), oracle_(oracle), split_(oracle.has_snapshots()) {
    AWDIT_ASSERT(facts.live.size() <= 31);
    for (std::uint32_t t : facts.live) place_[t] = place_.size();
    for (const auto& [key, writers] : facts.writers) keys_.push_back(key);
  }

  bool exist() {
    Graph graph;
    for (const auto& [t, place] : place_) {
      if (split_) graph.add(snapshot(t), commit(t));
      for (std::uint32_t before : facts_.directly_before[t]) {
        if (before != facts_.init) graph.add(commit(before), snapshot(t));
      }
      if (!oracle_.real_time) continue;
      for (std::uint32_t before : facts_.ended_before[t]) {
        graph.add(commit(before), snapshot(t));
      }
    }
    return !graph.cyclic() && exist_from(0, graph, {});
  }

 private:
  // (reader, overwriter), for parallel only
  using Overwritten = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  std::size_t commit(std::uint32_t t) const {
    return split_ ? place_.at(t) * 2 + 1 : place_.at(t);
  }
  std::size_t snapshot(std::uint32_t t) const {
    return split_ ? place_.at(t) * 2 : place_.at(t);
  }

  // Whether the keys from this one on have orders that fit.
  bool exist_from(std::size_t key, const Graph& graph,
                  const Overwritten& overwritten) const {
    if (key == keys_.size()) return true;
    std::vector<std::uint32_t> order;
    for (std::uint32_t t : facts_.writers.at(keys_[key])) {
      if (t != facts_.init) order.push_back(t);
    }
    do {
      if (!as_listed(keys_[key], order)) continue;
      Graph extended = graph;
      Overwritten more = overwritten;
      add(keys_[key], order, extended, more);
      if (extended.cyclic()) continue;
      const bool skewed =
          std::any_of(more.begin(), more.end(), [&](const auto& rw) {
            return extended.leads(commit(rw.second), snapshot(rw.first));
          });
      if (!skewed && exist_from(key + 1, extended, more)) return true;
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
  }

  bool as_listed(std::uint32_t key,
                 const std::vector<std::uint32_t>& order) const {
    return std::all_of(
        facts_.listed.begin(), facts_.listed.end(),
        [&](const Facts::Listed& two) {
          return two.key != key ||
                 std::find(order.begin(), order.end(), two.older) <
                     std::find(order.begin(), order.end(), two.newer);
        });
  }

  void add(std::uint32_t key, const std::vector<std::uint32_t>& order,
           Graph& graph, Overwritten& overwritten) const {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t newer = order[i];
      for (std::size_t j = 0; j < i; ++j) {
        graph.add(commit(order[j]), oracle_.reads == Reads::prefix
                                        ? commit(newer)
                                        : snapshot(newer));
      }
      for (const Read& read : facts_.reads) {
        if (read.key != key || read.reader == newer) continue;
        const auto older = order.begin() + static_cast<long>(i);
        if (read.writer != facts_.init &&
            std::find(order.begin(), older, read.writer) == older) {
          continue;
        }
        if (oracle_.reads == Reads::parallel) {
          overwritten.emplace_back(read.reader, newer);
        } else {
          graph.add(snapshot(read.reader), commit(newer));
        }
      }
    }
  }

  const Facts& facts_;
  const Oracle& oracle_;
  bool split_;
  std::map<std::uint32_t, std::size_t> place_;  // [live] -> from 0
  std::vector<std::uint32_t> keys_;
};

}  // namespace

bool by_versions(const Facts& facts, const Oracle& oracle) {
  return facts.read_findings.empty() && Versions(facts, oracle).exist();
}

}  // namespace awdit::oracle
