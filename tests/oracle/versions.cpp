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
//
// An order of the versions of a key says how its list grew. So of lists the
// order comes first, and wr follows from it: each read must have returned one
// of these versions, or what was there before the reader's own appends.
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
    for (std::uint32_t key = 0; key < facts.keys; ++key) keys_.push_back(key);
  }

  bool exist() {
    Graph graph;
    for (const auto& [t, place] : place_) {
      if (split_) graph.add(snapshot(t), commit(t));
      for (const auto& [before, its_place] : place_) {
        if (follows(before, t)) graph.add(commit(before), snapshot(t));
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

  // Whatever the order of versions.
  bool follows(std::uint32_t before, std::uint32_t t) const {
    return facts_.lists ? facts_.so(before, t)
                        : facts_.directly_before[t].contains(before);
  }

  // Whether the keys from this one on have orders that fit.
  bool exist_from(std::size_t key, const Graph& graph,
                  const Overwritten& overwritten) const {
    if (key == keys_.size()) return true;
    std::vector<std::uint32_t> order;
    for (const auto& [t, place] : place_) {
      if (facts_.writes(t, keys_[key])) order.push_back(t);
    }
    do {
      const std::optional<std::vector<Read>> reads =
          reads_of(keys_[key], order);
      if (!reads) continue;
      Graph extended = graph;
      Overwritten more = overwritten;
      add(order, *reads, extended, more);
      if (extended.cyclic()) continue;
      const bool skewed =
          std::any_of(more.begin(), more.end(), [&](const auto& rw) {
            return extended.leads(commit(rw.second), snapshot(rw.first));
          });
      if (!skewed && exist_from(key + 1, extended, more)) return true;
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
  }

  // Who reads the key from whom, or nothing if a list was never there.
  std::optional<std::vector<Read>> reads_of(
      std::uint32_t key, const std::vector<std::uint32_t>& order) const {
    std::vector<Read> reads;
    if (!facts_.lists) {
      std::copy_if(facts_.reads.begin(), facts_.reads.end(),
                   std::back_inserter(reads),
                   [&](const Read& read) { return read.key == key; });
      return reads;
    }
    std::map<List, std::uint32_t> maker{{List(), facts_.init}};
    std::map<std::uint32_t, List> before;  // maker -> what it appended to
    List grown;
    for (std::uint32_t t : order) {
      before[t] = grown;
      const List& block = facts_.blocks[t].at(key);
      grown.insert(grown.end(), block.begin(), block.end());
      maker[grown] = t;
    }
    for (const auto& [t, place] : place_) {
      for (const ListRead& read : facts_.list_reads[t]) {
        if (read.key != key) continue;
        List seen = read.list;
        if (!read.own.empty()) {
          seen = before.at(t);
          List expected = seen;
          expected.insert(expected.end(), read.own.begin(), read.own.end());
          if (expected != read.list) return std::nullopt;
        } else if (seen.empty() && !facts_.writes(facts_.init, key)) {
          return std::nullopt;
        }
        const auto found = maker.find(seen);
        if (found == maker.end() || found->second == t) return std::nullopt;
        reads.push_back({read.op, t, found->second, key});
      }
    }
    return reads;
  }

  void add(const std::vector<std::uint32_t>& order,
           const std::vector<Read>& reads, Graph& graph,
           Overwritten& overwritten) const {
    for (const Read& read : reads) {
      if (read.writer != facts_.init) {
        graph.add(commit(read.writer), snapshot(read.reader));
      }
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t newer = order[i];
      for (std::size_t j = 0; j < i; ++j) {
        graph.add(commit(order[j]), oracle_.reads == Reads::prefix
                                        ? commit(newer)
                                        : snapshot(newer));
      }
      for (const Read& read : reads) {
        if (read.reader == newer) continue;
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
  if (!facts.lists && !facts.read_findings.empty()) return false;
  return Versions(facts, oracle).exist();
}

}  // namespace awdit::oracle
