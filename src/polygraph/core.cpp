#include "polygraph/core.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <unordered_map>

#include "base/assert.h"
#include "base/make_set.h"
#include "graph/csr.h"
#include "graph/light_cycle.h"
#include "graph/scc.h"

namespace awdit {

namespace {

// Of the budget, for a point in a map.
constexpr std::uint64_t kSteps = 16;

}  // namespace

Core::Core(const Saturation& saturation)
    : saturation_(saturation),
      points_(saturation.points()),
      pace_(saturation.budget()),
      known_(saturation.facts().size(), 0) {}

void Core::add_txn(std::uint32_t txn) { txns_.push_back(txn); }

void Core::add_dependency(std::uint32_t number) {
  const Saturation::Dependency& d = saturation_.dependencies()[number];
  add_step(d.from, d.to);
  if (known_[d.fact] != 0) return;
  known_[d.fact] = 1;
  open_.push_back(d.fact);
}

void Core::add_step(std::uint32_t from, std::uint32_t to) {
  for (const std::uint32_t point : {from, to}) {
    if (!points_.is_time(point)) add_txn(points_.txn(point));
  }
}

void Core::add_chain_step(std::uint32_t from, std::uint32_t to) {
  add_step(from, to);
  if (points_.is_time(from)) return;
  const Polygraph& polygraph = points_.polygraph();
  const std::uint32_t first = points_.txn(from);
  for (std::uint32_t t = points_.txn(to); t != first && t != kNoId;
       t = polygraph.previous[t]) {
    pace_.step();
    if (polygraph.linked[t] == 0) continue;
    add_txn(t);
    add_txn(polygraph.previous[t]);
  }
}

void Core::add_arc(std::uint32_t from, std::uint32_t to) {
  if (points_.previous(to) == from) return add_chain_step(from, to);
  const auto sources = points_.sources(to);
  if (std::ranges::find(sources, from) != sources.end()) {
    return add_step(from, to);
  }
  for (const std::uint32_t i : saturation_.into(to)) {
    if (saturation_.dependencies()[i].from == from) return add_dependency(i);
  }
  AWDIT_ASSERT(false);
}

void Core::add_path(std::uint32_t from, std::uint32_t to) {
  search(from, to, ~0u);
}

// Dijkstra backwards: a step along a chain is free, a dependency costs 1, an
// inferred one 4, as it needs an explanation.
void Core::search(std::uint32_t from, std::uint32_t to, std::uint32_t rounds) {
  enum : std::uint32_t { kChain = kNoId, kKnown = kNoId - 1 };
  struct Visit {
    std::uint32_t cost;
    std::uint32_t next;  // one step closer to `to`
    std::uint32_t how;   // kChain, kKnown or a dependency
  };
  std::unordered_map<std::uint32_t, Visit> visits;
  using Entry = std::tuple<std::uint32_t, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const auto reach = [&](std::uint32_t point, std::uint32_t cost,
                         std::uint32_t next, std::uint32_t how) {
    if (point != from && !saturation_.leads(from, point)) return;
    const auto [at, fresh] = visits.try_emplace(point, Visit{cost, next, how});
    if (!fresh) {
      if (at->second.cost <= cost) return;
      at->second = {cost, next, how};
    }
    queue.emplace(cost, point);
  };
  visits.emplace(to, Visit{0, kNoId, kChain});
  queue.emplace(0, to);
  while (!queue.empty()) {
    const auto [cost, point] = queue.top();
    queue.pop();
    pace_.step(kSteps * (2 + points_.sources(point).size() +
                         saturation_.into(point).size()));
    if (point == from && cost != 0) break;
    if (cost > visits.at(point).cost) continue;
    if (const std::uint32_t previous = points_.previous(point);
        previous != kNoId) {
      reach(previous, cost, point, kChain);
    }
    for (const std::uint32_t source : points_.sources(point)) {
      reach(source, cost + 1, point, kKnown);
    }
    for (const std::uint32_t i : saturation_.into(point)) {
      const Saturation::Dependency& d = saturation_.dependencies()[i];
      if (saturation_.facts()[d.fact].round < rounds) {
        reach(d.from, cost + 4, point, i);
      }
    }
  }
  AWDIT_ASSERT(visits.contains(from));
  add_step(from, to);
  for (std::uint32_t point = from; point != to;) {
    const Visit& visit = visits.at(point);
    if (visit.how == kChain) {
      add_chain_step(point, visit.next);
    } else if (visit.how == kKnown) {
      add_step(point, visit.next);
    } else {
      add_dependency(visit.how);
    }
    point = visit.next;
  }
}

void Core::explain() {
  const Polygraph& polygraph = points_.polygraph();
  while (!open_.empty()) {
    const Saturation::Fact fact = saturation_.facts()[open_.back()];
    open_.pop_back();
    const std::uint32_t newer = polygraph.writer[fact.newer];
    add_txn(newer);
    if (fact.older == Polygraph::kInitial) continue;
    const std::uint32_t older = polygraph.writer[fact.older];
    add_txn(older);
    if (fact.shown != kNoId) add_txn(fact.shown);
    if (fact.trigger == kNoId) continue;
    add_txn(fact.trigger);
    if (fact.trigger == newer) {
      search(points_.forbidden() == Forbidden::snapshot
                 ? points_.snapshot(older)
                 : points_.commit(older),
             points_.commit(newer), fact.round);
    } else {
      search(points_.commit(older), points_.snapshot(fact.trigger), fact.round);
    }
  }
}

std::vector<std::uint32_t> Core::take() {
  explain();
  make_set(txns_);
  return std::move(txns_);
}

std::vector<std::vector<std::uint32_t>> cores_of_cycles(
    const Saturation& saturation, std::size_t most) {
  constexpr std::uint32_t kChain = 0, kKnown = 1, kInferred = 2;
  const Points& points = saturation.points();
  std::vector<std::vector<std::uint32_t>> cores;
  for (const Saturation::Stale& stale : saturation.stale()) {
    if (cores.size() >= most) return cores;
    Core core(saturation);
    const std::uint32_t writer = points.polygraph().writer[stale.version];
    core.add_path(points.commit(writer), points.snapshot(stale.reader));
    cores.push_back(core.take());
  }
  if (!cores.empty()) return cores;

  std::vector<Arc> arcs;
  std::vector<std::uint32_t> next(points.size(), LightCycleFinder::kEnd);
  for (std::uint32_t point = 0; point < points.size(); ++point) {
    if (const std::uint32_t previous = points.previous(point);
        previous != kNoId) {
      arcs.push_back({previous, point, kChain});
      next[previous] = point;
    }
    for (const std::uint32_t source : points.sources(point)) {
      arcs.push_back({source, point, kKnown});
    }
  }
  for (std::uint32_t i = 0; i < saturation.dependencies().size(); ++i) {
    const Saturation::Dependency& d = saturation.dependencies()[i];
    arcs.push_back({d.from, d.to, kInferred + i});
  }
  saturation.budget().ask();
  const Csr graph(points.size(), arcs);
  const Components components = strong_components(graph);
  std::vector<std::vector<std::uint32_t>> members;
  std::vector<std::uint32_t> slot(components.size.size(), kNoId);
  for (std::uint32_t point = 0; point < points.size(); ++point) {
    const std::uint32_t component = components.of[point];
    if (components.size[component] < 2) continue;
    if (slot[component] == kNoId) {
      if (members.size() == most) continue;
      slot[component] = static_cast<std::uint32_t>(members.size());
      members.emplace_back();
    }
    members[slot[component]].push_back(point);
  }
  LightCycleFinder finder(graph, components, next, kChain, kInferred);
  for (const auto& component : members) {
    Core core(saturation);
    for (const Arc& arc : finder.find(component)) {
      if (arc.tag == kChain) {
        core.add_chain_step(arc.from, arc.to);
      } else if (arc.tag == kKnown) {
        core.add_step(arc.from, arc.to);
      } else {
        core.add_dependency(arc.tag - kInferred);
      }
    }
    cores.push_back(core.take());
  }
  return cores;
}

}  // namespace awdit
