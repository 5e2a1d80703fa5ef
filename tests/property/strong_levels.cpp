#include "property/strong_levels.h"

#include <algorithm>

namespace awdit::property {
namespace {

using Edges = std::vector<std::vector<std::uint32_t>>;  // [node] -> successors

// Removes nodes without predecessors until none is left, or none is free.
bool acyclic(const Edges& edges) {
  std::vector<std::uint32_t> before(edges.size(), 0);
  for (const auto& successors : edges) {
    for (const std::uint32_t node : successors) ++before[node];
  }
  std::vector<std::uint32_t> free;
  for (std::uint32_t node = 0; node < edges.size(); ++node) {
    if (before[node] == 0) free.push_back(node);
  }
  std::size_t removed = 0;
  while (!free.empty()) {
    const std::uint32_t node = free.back();
    free.pop_back();
    ++removed;
    for (const std::uint32_t next : edges[node]) {
      if (--before[next] == 0) free.push_back(next);
    }
  }
  return removed == edges.size();
}

bool reaches(const Edges& edges, std::uint32_t from, std::uint32_t to) {
  std::vector<bool> seen(edges.size(), false);
  std::vector<std::uint32_t> stack = {from};
  while (!stack.empty()) {
    const std::uint32_t node = stack.back();
    stack.pop_back();
    if (node == to) return true;
    for (const std::uint32_t next : edges[node]) {
      if (!seen[next]) stack.push_back(next);
      seen[next] = true;
    }
  }
  return false;
}

struct Dependencies {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> so_wr, ww, rw;
};

// Only the next version of each: the others follow.
Dependencies dependencies(const oracle::Facts& facts,
                          const VersionOrder& versions) {
  Dependencies all;
  for (const std::uint32_t txn : facts.live) {
    if (txn == facts.init) continue;
    for (const std::uint32_t before : facts.directly_before[txn]) {
      all.so_wr.push_back({before, txn});
    }
  }
  for (const auto& [key, writers] : versions) {
    for (std::size_t i = 0; i < writers.size(); ++i) {
      all.ww.push_back({i == 0 ? facts.init : writers[i - 1], writers[i]});
    }
  }
  for (const oracle::Read& read : facts.reads) {
    const auto order = versions.find(read.key);
    if (order == versions.end()) continue;
    const std::vector<std::uint32_t>& writers = order->second;
    const auto own = std::find(writers.begin(), writers.end(), read.writer);
    const auto next = own == writers.end() ? writers.begin() : own + 1;
    if (next != writers.end() && *next != read.reader) {
      all.rw.push_back({read.reader, *next});
    }
  }
  return all;
}

}  // namespace

bool holds_for(const oracle::Facts& facts, const VersionOrder& versions,
               std::string_view level) {
  const Dependencies all = dependencies(facts, versions);
  const auto nodes =
      static_cast<std::uint32_t>(facts.directly_before.size()) + 1;
  if (level == "serializable" || level == "parallel-snapshot-isolation") {
    Edges edges(nodes);
    for (const auto& [from, to] : all.so_wr) edges[from].push_back(to);
    for (const auto& [from, to] : all.ww) edges[from].push_back(to);
    if (level == "serializable") {
      for (const auto& [from, to] : all.rw) edges[from].push_back(to);
      return acyclic(edges);
    }
    return acyclic(edges) &&
           std::none_of(all.rw.begin(), all.rw.end(), [&](const auto& edge) {
             return reaches(edges, edge.second, edge.first);
           });
  }
  // Twice each: what it saw, then its commit.
  Edges edges(2 * nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    edges[node].push_back(nodes + node);
  }
  for (const auto& [from, to] : all.so_wr) edges[nodes + from].push_back(to);
  for (const auto& [from, to] : all.ww) {
    edges[nodes + from].push_back(level == "prefix" ? nodes + to : to);
  }
  for (const auto& [from, to] : all.rw) edges[from].push_back(nodes + to);
  return acyclic(edges);
}

bool holds_for_some(const oracle::Facts& facts, std::string_view level) {
  VersionOrder versions;
  for (const auto& [key, writers] : facts.writers) {
    std::vector<std::uint32_t>& order = versions[key];
    order.assign(writers.begin(), writers.end());
    std::erase(order, facts.init);
    std::erase_if(order,
                  [&](std::uint32_t txn) { return !facts.live.contains(txn); });
    std::sort(order.begin(), order.end());
  }
  // Counts through all permutations of all keys.
  while (true) {
    if (holds_for(facts, versions, level)) return true;
    auto key = versions.begin();
    while (key != versions.end() &&
           !std::next_permutation(key->second.begin(), key->second.end())) {
      ++key;
    }
    if (key == versions.end()) return false;
  }
}

}  // namespace awdit::property
