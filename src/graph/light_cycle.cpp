#include "graph/light_cycle.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace awdit {
namespace {

// Arcs looked at per component before the best cycle so far is taken, and over
// all components before each gets a single search.
constexpr std::uint64_t kBudgetEach = 20'000'000;
constexpr std::uint64_t kBudgetAll = 100'000'000;

}  // namespace

LightCycleFinder::LightCycleFinder(const Csr& graph,
                                   const Components& components,
                                   const std::vector<std::uint32_t>& next,
                                   std::uint32_t chain_tag,
                                   std::uint32_t first_heavy)
    : graph_(graph),
      components_(components),
      next_(next),
      chain_tag_(chain_tag),
      first_heavy_(first_heavy),
      visit_(graph.nodes()),
      stamp_(graph.nodes(), 0),
      chain_stamp_(graph.nodes(), 0) {
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    for (const Csr::Entry& arc : graph.out(node)) {
      light_ascends_ &= arc.tag >= first_heavy || arc.to > node;
    }
  }
}

LightCycleFinder::Cost LightCycleFinder::search(std::uint32_t from,
                                                std::uint32_t to, Cost bound) {
  ++now_;
  const std::uint32_t component = components_.of[from];
  using Item = std::pair<Cost, std::uint32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  const auto reach = [&](std::uint32_t node, Cost cost, std::uint32_t parent,
                         std::uint32_t tag) {
    ++steps_;
    const bool behind = light_ascends_ && node > to;
    if (cost + (behind ? kHeavy : 0) >= bound) return;
    if (stamp_[node] == now_ && visit_[node].cost <= cost) return;
    stamp_[node] = now_;
    visit_[node] = {cost, parent, tag};
    queue.emplace(cost, node);
  };
  reach(from, 0, kEnd, 0);
  while (!queue.empty()) {
    const auto [cost, node] = queue.top();
    queue.pop();
    if (visit_[node].cost != cost) continue;
    if (node == to) return cost;
    // Costs come out ascending, so a node that an earlier jump reached gains
    // nothing from a later one: each node is jumped to once.
    for (std::uint32_t at = next_[node];
         at != kEnd && components_.of[at] == component &&
         chain_stamp_[at] != now_;
         at = next_[at]) {
      chain_stamp_[at] = now_;
      reach(at, cost + 1, node, chain_tag_);
    }
    for (const Csr::Entry& arc : graph_.out(node)) {
      if (arc.tag == chain_tag_ || components_.of[arc.to] != component) {
        continue;
      }
      reach(arc.to, cost + 1 + (arc.tag >= first_heavy_ ? kHeavy : 0), node,
            arc.tag);
    }
  }
  return kInfinite;
}

std::vector<Arc> LightCycleFinder::path_to(std::uint32_t from,
                                           std::uint32_t to) const {
  std::vector<Arc> path;
  for (std::uint32_t node = to; node != from; node = visit_[node].parent) {
    path.push_back({visit_[node].parent, node, visit_[node].tag});
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<Arc> LightCycleFinder::find(
    const std::vector<std::uint32_t>& members, std::uint32_t fewest) {
  // The arcs that may close the cycle: the heavy ones, or all if none is.
  std::vector<Arc> closing;
  const std::uint32_t component = components_.of[members.front()];
  for (const bool heavy : {true, false}) {
    for (const std::uint32_t node : members) {
      for (const Csr::Entry& arc : graph_.out(node)) {
        if (components_.of[arc.to] == component && arc.tag != chain_tag_ &&
            (arc.tag >= first_heavy_) == heavy) {
          closing.push_back({node, arc.to, arc.tag});
        }
      }
    }
    if (!closing.empty()) break;
  }
  // Short arcs first: nodes are numbered along a near-order of the graph, so
  // what they span is small and a good bound is found early.
  const auto span = [](const Arc& arc) {
    return arc.from > arc.to ? arc.from - arc.to : arc.to - arc.from;
  };
  std::stable_sort(
      closing.begin(), closing.end(),
      [&](const Arc& a, const Arc& b) { return span(a) < span(b); });

  std::vector<Arc> best;
  Cost best_cost = kInfinite;
  const std::uint64_t limit =
      steps_ > kBudgetAll ? steps_ : steps_ + kBudgetEach;
  for (const Arc& arc : closing) {
    if (!best.empty() && steps_ > limit) break;
    if (best_cost < fewest) break;  // this arc is one more
    const Cost cost = search(arc.to, arc.from, best_cost);
    if (cost >= best_cost) continue;
    best_cost = cost;
    best = path_to(arc.to, arc.from);
    best.push_back(arc);
  }
  return best;
}

}  // namespace awdit
