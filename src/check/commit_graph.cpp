#include "check/commit_graph.h"

#include <algorithm>
#include <unordered_set>

#include "check/disorder.h"
#include "check/session_replay.h"
#include "check/window_graph.h"
#include "graph/csr.h"
#include "graph/light_cycle.h"
#include "graph/scc.h"

namespace awdit {
namespace {

Edge edge_of_step(const Step& step) {
  Edge edge;
  edge.from = step.from;
  edge.to = step.to;
  edge.reason = step.reason;
  edge.write = step.write;
  edge.read = step.read;
  return edge;
}

// Whether two edges, one after the other, say that versions of a key are older
// because of the same list: then it shows the whole way.
bool shown_together(const Edge& a, const Edge& b) {
  return a.reason == Reason::version_order &&
         b.reason == Reason::version_order && a.key == b.key;
}

// Turns a cycle of arcs into edges with their reasons; neighbouring steps along
// one session, or through one list, become one.
Violation violation_of_cycle(const Index& index, OpFinder& finder,
                             const WindowGraph& graph,
                             const std::vector<Inference>& inferences,
                             const Rule* rule, const std::vector<Arc>& cycle) {
  const ListVersions& versions = index.versions();
  Cycle evidence;
  std::vector<Edge>& edges = evidence.edges;
  std::uint32_t member = kNoId;  // of the hub that the cycle is in
  for (const Arc& arc : cycle) {
    if (arc.tag == kMember) {
      if (!graph.is_hub(arc.from)) member = graph.txn(arc.from);
      continue;
    }
    const std::uint32_t from =
        graph.is_hub(arc.from) ? member : graph.txn(arc.from);
    const std::uint32_t to = graph.txn(arc.to);
    Edge edge;
    edge.from = TxnId(from);
    edge.to = TxnId(to);
    if (arc.tag == kReads) {
      edge = edge_of_step(
          reads_from_step(index, finder, from, to, finder.read_from(to, from)));
    } else if (arc.tag < kReads) {
      if (!edges.empty() && edges.back().reason == Reason::session_order) {
        edges.back().to = edge.to;
        continue;
      }
    } else if (arc.tag < graph.first_inferred()) {
      edge.reason = Reason::version_order;
      edge.key = KeyId(versions.key_of(arc.tag - kVersions).key);
      if (!edges.empty() && shown_together(edges.back(), edge)) {
        edges.back().to = edge.to;
        continue;
      }
    } else {
      const Inference& inference = inferences[arc.tag - graph.first_inferred()];
      edge.reason = Reason::inferred;
      edge.reader = TxnId(inference.reader);
      edge.key = KeyId(inference.key);
      edge.read = finder.read(inference.reader, inference.key, to);
      edge.write = finder.last_write(to, inference.key);
      edge.other_write = finder.last_write(from, inference.key);
      rule->show(index, finder, edge);
    }
    edges.push_back(std::move(edge));
  }
  if (edges.size() > 1 && shown_together(edges.back(), edges.front())) {
    edges.back().to = edges.front().to;
    edges.erase(edges.begin());
  }
  for (Edge& edge : edges) {
    if (edge.reason != Reason::version_order) continue;
    edge.write = finder.last_write(edge.from.v, edge.key.v);
    edge.other_write = finder.last_write(edge.to.v, edge.key.v);
    const auto key =
        std::lower_bound(versions.keys.begin(), versions.keys.end(), edge.key.v,
                         [](const ListVersions::Key& k, std::uint32_t id) {
                           return k.key < id;
                         });
    evidence.lemmas.push_back({.key = edge.key,
                               .older = edge.from,
                               .newer = edge.to,
                               .shown = key->shown,
                               .under = {},
                               .cycle = {}});
  }
  const Kind kind = kind_of_cycle(evidence);
  return {kind, std::move(evidence)};
}

// Nodes of the components with more than one node, by smallest node.
std::vector<std::vector<std::uint32_t>> cyclic_components(
    const Components& components) {
  std::vector<std::uint32_t> slot(components.size.size(), kNoId);
  std::vector<std::vector<std::uint32_t>> cyclic;
  for (std::uint32_t node = 0; node < components.of.size(); ++node) {
    const std::uint32_t component = components.of[node];
    if (components.size[component] < 2) continue;
    if (slot[component] == kNoId) {
      slot[component] = static_cast<std::uint32_t>(cyclic.size());
      cyclic.emplace_back();
    }
    cyclic[slot[component]].push_back(node);
  }
  return cyclic;
}

// The same with what connects their transactions.
std::vector<Tangle> tangles_of(const WindowGraph& graph, const Csr& csr,
                               const Components& components,
                               const std::vector<Inference>& all) {
  std::vector<Tangle> tangles;
  std::vector<std::uint32_t> slot(components.size.size(), kNoId);
  for (const auto& members : cyclic_components(components)) {
    const std::uint32_t component = components.of[members.front()];
    slot[component] = static_cast<std::uint32_t>(tangles.size());
    Tangle& tangle = tangles.emplace_back();
    for (const std::uint32_t node : members) {
      if (graph.is_hub(node)) {
        // Who is behind it is not told apart: it may stay, whatever goes.
        tangle.arcs.push_back({tangle.txns[0], tangle.txns[1], kNoId});
        tangle.arcs.push_back({tangle.txns[1], tangle.txns[0], kNoId});
        break;
      }
      tangle.txns.push_back(graph.txn(node));
      for (const Csr::Entry& arc : csr.out(node)) {
        if (arc.tag < graph.first_inferred() && arc.tag != kMember &&
            components.of[arc.to] == component) {
          tangle.arcs.push_back({graph.txn(node), graph.txn(arc.to), kNoId});
        }
      }
    }
  }
  for (const Inference& inference : all) {
    if ((inference.from & kHub) != 0) continue;
    const std::uint32_t component = components.of[graph.node(inference.from)];
    if (slot[component] == kNoId ||
        components.of[graph.node(inference.to)] != component) {
      continue;
    }
    tangles[slot[component]].arcs.push_back(
        {inference.from, inference.to, inference.reader});
  }
  return tangles;
}

// Inferences that so or wr contradict in one step are cycles by themselves, one
// for each read: a component (all who miss a write of init's, say) may hold
// thousands of them. [component] -> their cycles, as arcs whose tags count in
// `all`.
std::vector<std::vector<std::vector<Arc>>> direct_cycles(
    const Index& index, const WindowGraph& graph, const Components& components,
    const std::vector<Inference>& all) {
  const History& history = index.history();
  const auto sources = index.sources();
  const std::uint32_t init = history.init_txn().v;
  std::vector<std::vector<std::vector<Arc>>> found(components.size.size());
  std::unordered_set<std::uint64_t> reads;  // reader and key
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const Inference& inference = all[i];
    if ((inference.from & kHub) != 0) continue;
    const std::uint32_t from = graph.node(inference.from);
    const std::uint32_t to = graph.node(inference.to);
    if (components.of[from] != components.of[to]) continue;
    std::uint32_t tag = kVersions;
    if (inference.to == init) {
      tag = kInit;
    } else if (inference.to < inference.from &&
               history.session(TxnId(inference.to)) ==
                   history.session(TxnId(inference.from))) {
      tag = kChain;
    } else {
      for (const OpId op : history.ops(TxnId(inference.from))) {
        if (sources[op.v] == inference.to) tag = kReads;
      }
    }
    if (tag == kVersions ||
        !reads.insert(std::uint64_t{inference.reader} << 32 | inference.key)
             .second) {
      continue;
    }
    found[components.of[from]].push_back(
        {{to, from, tag}, {from, to, graph.first_inferred() + i}});
  }
  return found;
}

// Marks the components of which a transaction is in one of these cycles.
void mark(const WindowGraph& graph, const std::vector<Violation>& cycles,
          const std::vector<std::vector<std::uint32_t>>& components,
          std::vector<std::uint8_t>& marked) {
  if (cycles.empty()) return;
  std::vector<std::uint32_t> txns;
  for (const Violation& cycle : cycles) {
    txns.push_back(cycle.cycle()->edges.front().from.v);
  }
  std::sort(txns.begin(), txns.end());
  for (std::size_t i = 0; i < components.size(); ++i) {
    for (const std::uint32_t node : components[i]) {
      if (!std::binary_search(txns.begin(), txns.end(), graph.txn(node))) {
        continue;
      }
      marked[i] = 1;
      break;
    }
  }
}

// One cycle for each component of so, wr and, if asked, the versions of lists.
std::vector<Violation> find_known_cycles(const Index& index, bool versions,
                                         std::vector<Tangle>* tangles) {
  std::vector<RankSpan> windows;
  if (!index.acyclic()) add_reads_against_order(index, windows);
  if (versions) add_versions_against_order(index, windows);
  merge_spans(windows);
  const std::vector<Inference> none;
  WindowGraph graph(index, windows, none);
  const Csr csr = graph.build(versions);
  const Components components = strong_components(csr);
  LightCycleFinder finder(csr, components, graph.next(), kChain, kVersions);
  OpFinder ops(index.history(), index.sources());
  std::vector<Violation> violations;
  const auto cyclic = cyclic_components(components);
  std::vector<std::uint8_t> skip(cyclic.size(), 0);
  if (versions) mark(graph, index.causality_cycles(), cyclic, skip);
  for (std::size_t i = 0; i < cyclic.size(); ++i) {
    if (skip[i] != 0) continue;
    if (tangles != nullptr) {
      Tangle& tangle = tangles->emplace_back();
      for (const std::uint32_t node : cyclic[i]) {
        tangle.txns.push_back(graph.txn(node));
      }
    }
    violations.push_back(violation_of_cycle(index, ops, graph, none, nullptr,
                                            finder.find(cyclic[i])));
  }
  return violations;
}

}  // namespace

std::vector<Violation> find_causality_cycles(const Index& index,
                                             std::vector<Tangle>* tangles) {
  return find_known_cycles(index, false, tangles);
}

std::vector<Violation> find_dependency_cycles(const Index& index,
                                              std::vector<Tangle>* tangles) {
  return find_known_cycles(index, true, tangles);
}

void decide_by_rule(Index& index, const Options& options, const Rule* rule,
                    LevelReport& report, std::vector<Violation>& violations) {
  const auto append = [&](const std::vector<Violation>& some) {
    for (const Violation& violation : some) {
      if (options.first && !violations.empty()) return;
      violations.push_back(violation);
    }
  };
  append(index.findings());
  if (demands_repeatable_reads(*report.level)) append(index.non_repeatable());
  append(index.causality_cycles());
  append(index.dependency_cycles());
  const auto finish = [&] {
    report.verdict = violations.empty() ? Verdict::holds : Verdict::violated;
  };
  const auto order_is = [&](std::span<const std::uint32_t> order) {
    finish();
    if (report.verdict != Verdict::holds || !options.commit_order) return;
    report.commit_order.reserve(order.size() - 1);
    for (const std::uint32_t txn : order) {
      if (txn != index.history().init_txn().v) {
        report.commit_order.push_back(TxnId(txn));
      }
    }
  };
  if (options.first && !violations.empty()) return finish();
  if (rule == nullptr || (rule->needs_acyclic && !index.acyclic())) {
    return order_is(index.order());
  }

  // Where the order is not worth mending, nobody tries, unless it costs
  // nothing: then answers are the same either way to the last byte.
  constexpr std::uint32_t kSmall = 4096;
  const bool whole = is_in_disorder(index, *rule, options.disorder_above);
  if (!whole || index.history().num_txns() < kSmall) {
    // What it costs to look at a stale read, who is suspect is found out for.
    // Causal consistency wants few of them, and so do the guarantees, which
    // walk through the sessions for each.
    if (rule->needs_events) index.find_suspects();
    if (rule->needs_acyclic || is_session_guarantee(*report.level)) {
      index.mend_roughly();
    }
  }
  Inferences inferences(index);
  if (whole) {
    inferences.take_whole();
  } else if (index.suspects().any) {
    if (rule->needs_events) index.make_events(index.suspects().keys);
    index.budget().ask();
    rule->infer(index, inferences);
  }
  if (!inferences.find_windows()) return order_is(index.order());
  if (rule->needs_events && !inferences.is_whole()) {
    index.make_events(inferences.keys_written());
  } else if (rule->needs_all_events) {
    index.make_events({});
  }
  rule->infer(index, inferences);
  if (inferences.is_whole()) {
    const std::vector<std::uint32_t> order = replay_sessions(index, inferences);
    if (!order.empty()) return order_is(order);
  }
  const std::vector<Inference> all = inferences.take_all();
  const std::vector<Inference> edges = inferences.one_per_pair(all);
  WindowGraph graph(index, inferences.windows(), edges, inferences.hubs());
  const Csr csr = graph.build(true, inferences.members());
  index.budget().ask();
  const Components components = strong_components(csr);
  index.budget().ask();

  if (components.acyclic()) {
    // Arcs lead to smaller component numbers: descending is topological.
    std::vector<std::uint32_t> order(index.order().begin(),
                                     index.order().end());
    for (std::size_t w = 0; w < inferences.windows().size(); ++w) {
      std::vector<std::uint32_t> nodes;
      for (std::uint32_t n = graph.first_node(w); n < graph.first_node(w + 1);
           ++n) {
        nodes.push_back(n);
      }
      std::sort(nodes.begin(), nodes.end(),
                [&](std::uint32_t a, std::uint32_t b) {
                  return components.of[a] > components.of[b];
                });
      std::uint32_t rank = inferences.windows()[w].first;
      for (const std::uint32_t node : nodes) order[rank++] = graph.txn(node);
    }
    return order_is(order);
  }

  // Components that contain a cycle of what is known were reported as that.
  const auto cyclic = cyclic_components(components);
  std::vector<std::uint8_t> skip(cyclic.size(), 0);
  mark(graph, index.causality_cycles(), cyclic, skip);
  mark(graph, index.dependency_cycles(), cyclic, skip);
  index.known().tangles = tangles_of(graph, csr, components, all);
  const bool quick = options.first || options.only_first_level;
  const auto direct =
      quick ? std::vector<std::vector<std::vector<Arc>>>(components.size.size())
            : direct_cycles(index, graph, components, all);
  LightCycleFinder finder(csr, components, graph.next(), kChain,
                          graph.first_inferred());
  OpFinder ops(index.history(), index.sources());
  // A cycle of two arcs is a direct one, but for those through versions.
  const std::uint32_t fewest = quick || !index.versions().txns.empty() ? 2 : 3;
  const auto add = [&](const std::vector<Inference>& inferred,
                       const std::vector<Arc>& cycle) {
    violations.push_back(
        violation_of_cycle(index, ops, graph, inferred, rule, cycle));
  };
  for (std::size_t i = 0; i < cyclic.size(); ++i) {
    if (skip[i] != 0) continue;
    index.budget().ask();
    const auto& cycles = direct[components.of[cyclic[i].front()]];
    for (const std::vector<Arc>& cycle : cycles) add(all, cycle);
    if (cycles.empty()) add(edges, finder.find(cyclic[i], fewest));
    if (options.first) break;
  }
  finish();
}

}  // namespace awdit
