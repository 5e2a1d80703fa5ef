// Components and light cycles against the obvious: reachability by Warshall,
// and the fewest heavy arcs by trying every node as a start with min-plus
// distances. Chains are sessions: consecutive nodes joined by light arcs.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "graph/csr.h"
#include "graph/light_cycle.h"
#include "graph/scc.h"

namespace awdit {
namespace {

constexpr std::uint32_t kChainTag = 0;
constexpr std::uint32_t kLightTag = 1;
constexpr std::uint32_t kFirstHeavy = 2;
constexpr unsigned kFar = 1000;

struct Sample {
  std::uint32_t nodes;
  std::vector<Arc> arcs;
  std::vector<std::uint32_t> next;
};

Sample random_sample(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Sample sample;
  sample.nodes = static_cast<std::uint32_t>(2 + random() % 9);
  sample.next.assign(sample.nodes, LightCycleFinder::kEnd);
  for (std::uint32_t n = 0; n + 1 < sample.nodes; ++n) {
    if (random() % 3 == 0) continue;
    sample.next[n] = n + 1;
    sample.arcs.push_back({n, n + 1, kChainTag});
  }
  const std::uint64_t more = random() % (2 * sample.nodes + 1);
  for (std::uint64_t i = 0; i < more; ++i) {
    const auto from = static_cast<std::uint32_t>(random() % sample.nodes);
    const auto to = static_cast<std::uint32_t>(random() % sample.nodes);
    if (from == to) continue;
    // Light arcs go forward, as so u wr does: every cycle has a heavy one.
    const bool heavy = from > to || random() % 2 == 0;
    sample.arcs.push_back(
        {from, to,
         heavy ? kFirstHeavy + static_cast<std::uint32_t>(i) : kLightTag});
  }
  if (seed % 2 != 0) return sample;
  // Numbers that say nothing about the order.
  std::vector<std::uint32_t> name(sample.nodes);
  std::iota(name.begin(), name.end(), 0u);
  std::shuffle(name.begin(), name.end(), random);
  for (Arc& arc : sample.arcs) arc = {name[arc.from], name[arc.to], arc.tag};
  const std::vector<std::uint32_t> next = sample.next;
  for (std::uint32_t n = 0; n < sample.nodes; ++n) {
    sample.next[name[n]] = next[n] == LightCycleFinder::kEnd
                               ? LightCycleFinder::kEnd
                               : name[next[n]];
  }
  return sample;
}

// [from][to] -> fewest heavy arcs on a path of at least one arc.
std::vector<std::vector<unsigned>> distances(const Sample& sample) {
  std::vector<std::vector<unsigned>> far(
      sample.nodes, std::vector<unsigned>(sample.nodes, kFar));
  for (const Arc& arc : sample.arcs) {
    unsigned& cell = far[arc.from][arc.to];
    cell = std::min(cell, arc.tag >= kFirstHeavy ? 1u : 0u);
  }
  for (std::uint32_t k = 0; k < sample.nodes; ++k) {
    for (std::uint32_t i = 0; i < sample.nodes; ++i) {
      for (std::uint32_t j = 0; j < sample.nodes; ++j) {
        far[i][j] = std::min(far[i][j], far[i][k] + far[k][j]);
      }
    }
  }
  return far;
}

bool is_arc(const Sample& sample, const Arc& wanted) {
  if (wanted.tag == kChainTag) {  // a jump along the chain
    for (std::uint32_t at = wanted.from; at != LightCycleFinder::kEnd;
         at = sample.next[at]) {
      if (at == wanted.to) return wanted.from != wanted.to;
    }
    return false;
  }
  return std::any_of(sample.arcs.begin(), sample.arcs.end(),
                     [&](const Arc& arc) {
                       return arc.from == wanted.from && arc.to == wanted.to &&
                              arc.tag == wanted.tag;
                     });
}

void examine(const Sample& sample, int& cyclic) {
  const auto far = distances(sample);
  const Csr graph(sample.nodes, sample.arcs);
  const Components components = strong_components(graph);
  for (std::uint32_t a = 0; a < sample.nodes; ++a) {
    for (std::uint32_t b = 0; b < sample.nodes; ++b) {
      const bool together = a == b || (far[a][b] < kFar && far[b][a] < kFar);
      EXPECT_EQ(components.of[a] == components.of[b], together);
      if (far[a][b] < kFar) {
        EXPECT_GE(components.of[a], components.of[b]);
      }
    }
  }
  LightCycleFinder finder(graph, components, sample.next, kChainTag,
                          kFirstHeavy);
  for (std::uint32_t c = 0; c < components.size.size(); ++c) {
    if (components.size[c] < 2) continue;
    ++cyclic;
    std::vector<std::uint32_t> members;
    unsigned fewest = kFar;
    for (std::uint32_t n = 0; n < sample.nodes; ++n) {
      if (components.of[n] != c) continue;
      members.push_back(n);
      fewest = std::min(fewest, far[n][n]);
    }
    const std::vector<Arc> cycle = finder.find(members);
    ASSERT_FALSE(cycle.empty());
    unsigned heavy = 0;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      EXPECT_TRUE(is_arc(sample, cycle[i]));
      EXPECT_EQ(cycle[i].to, cycle[(i + 1) % cycle.size()].from);
      heavy += cycle[i].tag >= kFirstHeavy ? 1 : 0;
    }
    EXPECT_EQ(heavy, fewest);
    EXPECT_GE(cycle.back().tag, kFirstHeavy);
  }
}

TEST(LightCycle, HasTheFewestHeavyArcs) {
  int cyclic = 0;
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    SCOPED_TRACE(seed);
    examine(random_sample(seed), cyclic);
    if (HasFailure()) break;
  }
  EXPECT_GT(cyclic, 5000);
}

TEST(LightCycle, PrefersALongWayWithOneHeavyArcToAShortOneWithTwo) {
  // 0 <-> 1 by two heavy arcs; 0 -> 2 -> 3 -> 1 light and 1 -> 0 heavy.
  const std::vector<Arc> arcs = {{0, 1, kFirstHeavy},
                                 {1, 0, kFirstHeavy + 1},
                                 {0, 2, kLightTag},
                                 {2, 3, kLightTag},
                                 {3, 1, kLightTag}};
  const Csr graph(4, arcs);
  const Components components = strong_components(graph);
  const std::vector<std::uint32_t> next(4, LightCycleFinder::kEnd);
  LightCycleFinder finder(graph, components, next, kChainTag, kFirstHeavy);
  EXPECT_EQ(finder.find({0, 1, 2, 3}).size(), 4u);
}

TEST(Components, ChainOfAMillionNeedsNoStack) {
  std::vector<Arc> arcs;
  constexpr std::uint32_t kNodes = 1'000'000;
  for (std::uint32_t n = 0; n + 1 < kNodes; ++n) arcs.push_back({n, n + 1, 0});
  EXPECT_TRUE(strong_components(Csr(kNodes, arcs)).acyclic());
  arcs.push_back({kNodes - 1, 0, 0});
  EXPECT_EQ(strong_components(Csr(kNodes, arcs)).size.size(), 1u);
}

}  // namespace
}  // namespace awdit
