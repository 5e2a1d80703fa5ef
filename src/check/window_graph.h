// What a level forces inside the windows, as a graph. Private to check/. See
// check/commit_graph.h.
//
// Nodes are the transactions of windows, window by window in the guessed order,
// and then the hubs. Arcs know what they stand for by their tags. Cost: O(n) of
// what lies in windows, and 20 bytes per arc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "check/index.h"
#include "check/inferences.h"
#include "graph/csr.h"
#include "graph/light_cycle.h"

namespace awdit {

// Tags of arcs; those of inferences follow, see first_inferred().
inline constexpr std::uint32_t kChain =
    0;  // the next transaction of the session
inline constexpr std::uint32_t kInit = 1;      // from init
inline constexpr std::uint32_t kReads = 2;     // reads-from
inline constexpr std::uint32_t kMember = 3;    // into a hub
inline constexpr std::uint32_t kVersions = 4;  // + number of the pair

// The graph of so, wr, versions of lists and inferences inside windows.
class WindowGraph {
 public:
  WindowGraph(const Index& index, const std::vector<RankSpan>& windows,
              const std::vector<Inference>& inferences, std::uint32_t hubs = 0)
      : index_(index), inferences_(inferences), hubs_(hubs) {
    const auto order = index.order();
    node_of_.assign(order.size(), kNoId);
    for (const RankSpan& window : windows) {
      first_node_.push_back(static_cast<std::uint32_t>(txn_of_.size()));
      for (std::uint32_t rank = window.first; rank <= window.last; ++rank) {
        node_of_[rank] = static_cast<std::uint32_t>(txn_of_.size());
        txn_of_.push_back(order[rank]);
      }
    }
    first_node_.push_back(static_cast<std::uint32_t>(txn_of_.size()));
  }

  // Hubs come last.
  std::uint32_t nodes() const {
    return static_cast<std::uint32_t>(txn_of_.size()) + hubs_;
  }
  bool is_hub(std::uint32_t node) const { return node >= txn_of_.size(); }
  // kNoId: it is a hub.
  std::uint32_t txn(std::uint32_t node) const {
    return is_hub(node) ? kNoId : txn_of_[node];
  }
  // Of a transaction or a hub. REQUIRES: it is in a window.
  std::uint32_t node(std::uint32_t id) const {
    if ((id & kHub) != 0) {
      return static_cast<std::uint32_t>(txn_of_.size()) + (id ^ kHub);
    }
    return node_of_[index_.ranks()[id]];
  }
  // Nodes of a window are [first_node(w), first_node(w + 1)).
  std::uint32_t first_node(std::size_t window) const {
    return first_node_[window];
  }
  const std::vector<std::uint32_t>& next() const { return next_; }
  // The tag of the first inference.
  std::uint32_t first_inferred() const {
    return kVersions +
           static_cast<std::uint32_t>(index_.versions().txns.size());
  }

  Csr build(bool versions, std::span<const HubBundle::Member> members = {}) {
    const History& history = index_.history();
    const auto sources = index_.sources();
    const auto ranks = index_.ranks();
    const std::uint32_t init = history.init_txn().v;
    std::vector<Arc> arcs;
    Pace pace(index_.budget());
    next_.assign(nodes(), LightCycleFinder::kEnd);
    for (std::size_t w = 0; w + 1 < first_node_.size(); ++w) {
      const std::uint32_t low = first_node_[w];
      const std::uint32_t high = first_node_[w + 1];
      const auto inside = [&](std::uint32_t txn) {
        const std::uint32_t node = node_of_[ranks[txn]];
        return node != kNoId && node >= low && node < high ? node : kNoId;
      };
      const std::uint32_t init_node = inside(init);
      for (std::uint32_t node = low; node < high; ++node) {
        const std::uint32_t txn = txn_of_[node];
        if (txn == init) continue;
        pace.step(1 + history.ops(TxnId(txn)).size());
        const std::uint32_t before = index_.previous(txn);
        if (before == kNoId) {
          if (init_node != kNoId) arcs.push_back({init_node, node, kInit});
        } else if (const std::uint32_t at = inside(before); at != kNoId) {
          arcs.push_back({at, node, kChain});
          next_[at] = node;
        }
        std::uint32_t last = kNoId;
        for (const OpId op : history.ops(TxnId(txn))) {
          const std::uint32_t source = sources[op.v];
          if (source >= init || source == last) continue;
          last = source;
          if (const std::uint32_t at = inside(source); at != kNoId) {
            arcs.push_back({at, node, kReads});
          }
        }
      }
    }
    for (std::uint32_t i = 0; i < inferences_.size(); ++i) {
      pace.step();
      arcs.push_back({node(inferences_[i].from), node(inferences_[i].to),
                      first_inferred() + i});
    }
    for (const HubBundle::Member& member : members) {
      arcs.push_back({node(member.who), node(member.hub), kMember});
    }
    if (versions) {
      index_.versions().for_each_pair(
          [&](std::uint32_t older, std::uint32_t newer, std::uint32_t number) {
            const std::uint32_t from = node_of_[ranks[older]];
            const std::uint32_t to = node_of_[ranks[newer]];
            if (from != kNoId && to != kNoId && same_window(from, to)) {
              arcs.push_back({from, to, kVersions + number});
            }
          });
    }
    return Csr(nodes(), arcs);
  }

 private:
  bool same_window(std::uint32_t a, std::uint32_t b) const {
    const auto behind = [&](std::uint32_t node) {
      return std::upper_bound(first_node_.begin(), first_node_.end(), node);
    };
    return behind(a) == behind(b);
  }

  const Index& index_;
  const std::vector<Inference>& inferences_;
  std::uint32_t hubs_;
  std::vector<std::uint32_t> node_of_;     // [rank]
  std::vector<std::uint32_t> txn_of_;      // [node]
  std::vector<std::uint32_t> first_node_;  // [window]
  std::vector<std::uint32_t> next_;        // [node] in the session
};

}  // namespace awdit
