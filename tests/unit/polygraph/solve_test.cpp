// solve() against its slow twin: every order of the versions of every key is
// tried, and forbidden cycles are looked for as the definitions say them, in
// relations composed one step at a time, without split points.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "unit/polygraph/sketch.h"

namespace awdit {
namespace {

using Relation = std::vector<std::vector<bool>>;

// -- the slow twin ------------------------------------------------------------

Relation composed(const Relation& a, const Relation& b) {
  Relation result(a.size(), std::vector<bool>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      for (std::size_t k = 0; a[i][j] && k < a.size(); ++k) {
        if (b[j][k]) result[i][k] = true;
      }
    }
  }
  return result;
}

Relation either(Relation a, const Relation& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (b[i][j]) a[i][j] = true;
    }
  }
  return a;
}

Relation closure(Relation a) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < a.size(); ++j) {
        if (a[i][k] && a[k][j]) a[i][j] = true;
      }
    }
  }
  return a;
}

bool irreflexive(const Relation& a) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i][i]) return false;
  }
  return true;
}

// place[key][txn]: of its version in the order of the key's versions, from 1.
using Places = std::vector<std::vector<std::uint32_t>>;

bool allowed(const Sketch& sketch, const Demand& demand, const Places& place) {
  const std::uint32_t n = sketch.txns();
  const Relation none(n, std::vector<bool>(n));
  Relation known = none, ww = none, rw = none;
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = 0; b < n; ++b) {
      if (a < b && sketch.session[a] == sketch.session[b]) known[a][b] = true;
      if (demand.real_time && sketch.end[a] < sketch.begin[b]) {
        known[a][b] = true;
      }
      for (std::uint32_t key = 0; key < sketch.keys; ++key) {
        if (place[key][a] != 0 && place[key][a] < place[key][b]) {
          ww[a][b] = true;
        }
      }
    }
  }
  for (const Read& read : sketch.reads) {
    if (read.writer != kNoId) known[read.writer][read.reader] = true;
    const std::uint32_t got =
        read.writer == kNoId ? 0 : place[read.key][read.writer];
    for (std::uint32_t t = 0; t < n; ++t) {
      if (t != read.reader && place[read.key][t] > got) {
        rw[read.reader][t] = true;
      }
    }
  }
  const Relation all = either(known, ww);
  switch (demand.forbidden) {
    case Forbidden::all:
      return irreflexive(closure(either(all, rw)));
    case Forbidden::snapshot:
      return irreflexive(closure(either(all, composed(all, rw))));
    case Forbidden::prefix:
      return irreflexive(
          closure(either(ww, either(known, composed(known, rw)))));
    case Forbidden::parallel: {
      const Relation depends = closure(all);
      return irreflexive(depends) && irreflexive(composed(depends, rw));
    }
  }
  return false;
}

bool some_order(const Sketch& sketch, const Demand& demand, std::uint32_t key,
                Places& place) {
  if (key == sketch.keys) return allowed(sketch, demand, place);
  std::vector<std::uint32_t> writers;
  for (std::uint32_t t = 0; t < sketch.txns(); ++t) {
    if (sketch.writes.contains({t, key})) writers.push_back(t);
  }
  do {
    place[key].assign(sketch.txns(), 0);
    for (std::uint32_t i = 0; i < writers.size(); ++i) {
      place[key][writers[i]] = i + 1;
    }
    if (some_order(sketch, demand, key + 1, place)) return true;
  } while (std::next_permutation(writers.begin(), writers.end()));
  return false;
}

bool brute_force(const Sketch& sketch, const Demand& demand) {
  Places place(sketch.keys);
  return some_order(sketch, demand, 0, place);
}

// Only these transactions, ascending, with the reads among them.
Sketch part_of(const Sketch& sketch, const std::vector<std::uint32_t>& txns) {
  Sketch part;
  part.keys = sketch.keys;
  std::map<std::uint32_t, std::uint32_t> local;
  for (const std::uint32_t t : txns) {
    local[t] = part.txns();
    part.session.push_back(sketch.session[t]);
    if (!sketch.end.empty()) {
      part.begin.push_back(sketch.begin[t]);
      part.end.push_back(sketch.end[t]);
    }
  }
  for (const auto& [t, key] : sketch.writes) {
    if (local.contains(t)) part.writes.insert({local[t], key});
  }
  for (const Read& read : sketch.reads) {
    if (!local.contains(read.reader)) continue;
    if (read.writer != kNoId && !local.contains(read.writer)) continue;
    part.reads.push_back({local[read.reader], read.key,
                          read.writer == kNoId ? kNoId : local[read.writer]});
  }
  return part;
}

// -- random ones
// ----------------------------------------------------------------

using Random = std::mt19937_64;

std::uint32_t below(Random& random, std::uint32_t bound) {
  return static_cast<std::uint32_t>(random() % bound);
}

Sketch random_sketch(Random& random, std::uint32_t txns, std::uint32_t sessions,
                     std::uint32_t keys, bool times) {
  Sketch sketch;
  sketch.keys = keys;
  std::int64_t now = 0;
  for (std::uint32_t t = 0; t < txns; ++t) {
    sketch.session.push_back(below(random, sessions));
    for (std::uint32_t key = 0; key < keys; ++key) {
      std::vector<std::uint32_t> writers;
      for (std::uint32_t other = 0; other < t; ++other) {
        if (sketch.writes.contains({other, key})) writers.push_back(other);
      }
      const std::uint32_t choice = below(random, 6);
      if (choice < 2 && !writers.empty()) {
        // Mostly the latest ones, so that both answers occur.
        const auto back = std::min<std::uint32_t>(
            below(random, 3), static_cast<std::uint32_t>(writers.size() - 1));
        sketch.reads.push_back({t, key, writers[writers.size() - 1 - back]});
      } else if (choice == 2 && below(random, 3) == 0) {
        sketch.reads.push_back({t, key, kNoId});
      }
      if (below(random, 5) < 2) sketch.writes.insert({t, key});
    }
    if (times) {
      now += below(random, 3);
      sketch.begin.push_back(now);
      sketch.end.push_back(now + below(random, 6));
    }
  }
  return sketch;
}

constexpr Forbidden kAll[] = {Forbidden::prefix, Forbidden::parallel,
                              Forbidden::snapshot, Forbidden::all};

void expect_order(const Sketch& sketch, const Demand& demand,
                  const Solution& solution) {
  std::vector<std::uint32_t> sorted = solution.order;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t t = 0; t < sketch.txns(); ++t) ASSERT_EQ(sorted.at(t), t);
  // Version order is commit order.
  Places place(sketch.keys, std::vector<std::uint32_t>(sketch.txns(), 0));
  for (std::uint32_t i = 0; i < solution.order.size(); ++i) {
    for (std::uint32_t key = 0; key < sketch.keys; ++key) {
      if (sketch.writes.contains({solution.order[i], key})) {
        place[key][solution.order[i]] = i + 1;
      }
    }
  }
  EXPECT_TRUE(allowed(sketch, demand, place));
}

// Checked builds are there for what solve does, not for the brute force.
#ifdef AWDIT_CHECKED
constexpr int kSketches = 750;
#else
constexpr int kSketches = 2500;
#endif

TEST(Solve, AgreesWithAllOrdersOfVersions) {
  Random random(7);
  std::map<Forbidden, std::pair<int, int>> seen;  // orders, refutations
  for (int i = 0; i < kSketches; ++i) {
    const bool times = i % 3 == 0;
    const Sketch sketch =
        random_sketch(random, 2 + below(random, 6), 1 + below(random, 4),
                      1 + below(random, 3), times);
    if (sketch.writes.size() > 10) continue;
    const Polygraph graph = to_polygraph(sketch);
    for (const Forbidden forbidden : kAll) {
      const Demand demand{forbidden, times};
      const Solution solution = solve(graph, demand, {}, 4);
      SCOPED_TRACE(testing::Message()
                   << "history " << i << ", forbidden " << int(forbidden));
      const bool expected = brute_force(sketch, demand);
      ASSERT_EQ(solution.answer,
                expected ? Solution::Answer::order : Solution::Answer::refuted);
      if (expected) {
        ++seen[forbidden].first;
        expect_order(sketch, demand, solution);
      } else {
        ++seen[forbidden].second;
        ASSERT_FALSE(solution.cores.empty());
      }
      for (const std::vector<std::uint32_t>& core : solution.cores) {
        EXPECT_FALSE(brute_force(part_of(sketch, core), demand));
      }
    }
  }
  for (const Forbidden forbidden : kAll) {
    EXPECT_GT(seen[forbidden].first, kSketches / 13) << int(forbidden);
    EXPECT_GT(seen[forbidden].second, kSketches / 13) << int(forbidden);
  }
}

// The same transactions under other numbers: the guess is worse, windows and
// decisions are others, the answer is not.
TEST(Solve, DoesNotDependOnTheGuess) {
  Random random(11);
  std::set<Solution::Answer> seen;
  std::uint64_t decisions = 0;
  for (int i = 0; i < 400; ++i) {
    // A serial run, a few reads of which skip a version.
    Sketch sketch;
    sketch.keys = 6;
    const std::uint32_t txns = 20 + below(random, 60);
    std::vector<std::vector<std::uint32_t>> versions(sketch.keys);
    for (std::uint32_t t = 0; t < txns; ++t) {
      sketch.session.push_back(below(random, 5));
      for (std::uint32_t key = 0; key < sketch.keys; ++key) {
        const std::uint32_t choice = below(random, 8);
        const std::uint32_t skip = below(random, 200) == 0 ? 1 : 0;
        if (choice == 0 && versions[key].size() > skip) {
          sketch.reads.push_back(
              {t, key, versions[key][versions[key].size() - 1 - skip]});
        }
        if (choice < 3 && choice > 0) sketch.writes.insert({t, key});
      }
      for (std::uint32_t key = 0; key < sketch.keys; ++key) {
        if (sketch.writes.contains({t, key})) versions[key].push_back(t);
      }
    }
    // Another topological order: sessions in turns, as far as reads allow.
    std::vector<std::uint32_t> number(txns, kNoId);
    std::vector<std::uint32_t> order;
    while (order.size() < txns) {
      std::vector<std::uint32_t> ready;
      for (std::uint32_t t = 0; t < txns; ++t) {
        bool free = number[t] == kNoId;
        for (std::uint32_t other = 0; other < t && free; ++other) {
          free = sketch.session[other] != sketch.session[t] ||
                 number[other] != kNoId;
        }
        for (const Read& read : sketch.reads) {
          if (read.reader == t && number[read.writer] == kNoId) free = false;
        }
        if (free) ready.push_back(t);
      }
      const std::uint32_t t =
          ready[below(random, static_cast<std::uint32_t>(ready.size()))];
      number[t] = static_cast<std::uint32_t>(order.size());
      order.push_back(t);
    }
    Sketch other = part_of(sketch, order);
    for (const Forbidden forbidden : kAll) {
      const Solution one =
          solve(to_polygraph(sketch), {forbidden, false}, {}, 1);
      const Solution two =
          solve(to_polygraph(other), {forbidden, false}, {}, 1);
      EXPECT_EQ(one.answer, two.answer)
          << "history " << i << ", forbidden " << int(forbidden);
      seen.insert(one.answer);
      decisions += two.effort.decisions;
    }
  }
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_GT(decisions, 100u);
}

TEST(Solve, KeepsItsBounds) {
  Random random(3);
  const Sketch sketch = random_sketch(random, 40, 8, 3, false);
  const Polygraph graph = to_polygraph(sketch);
  const Budget late(1e-9, 0, 0);
  EXPECT_EQ(solve(graph, {Forbidden::all, false}, {.budget = &late}, 1).answer,
            Solution::Answer::out_of_time);
  const Budget small(0, 100, 0);
  EXPECT_EQ(solve(graph, {Forbidden::all, false}, {.budget = &small}, 1).answer,
            Solution::Answer::out_of_memory);
}

// Wherever it is stopped, it says so, and says nothing else.
TEST(Solve, MayBeStoppedAnywhere) {
  Random random(5);
  std::uint64_t stopped = 0;
  for (int i = 0; i < 60; ++i) {
    const Sketch sketch = random_sketch(random, 30, 6, 3, i % 2 == 0);
    const Polygraph graph = to_polygraph(sketch);
    for (const Forbidden forbidden : {Forbidden::prefix, Forbidden::parallel,
                                      Forbidden::snapshot, Forbidden::all}) {
      const Demand demand{forbidden, i % 2 == 0};
      const Solution whole = solve(graph, demand, {}, 1);
      for (std::uint64_t questions = 1;; ++questions) {
        const Budget budget(Budget::Questions{questions});
        const Solution some = solve(graph, demand, {.budget = &budget}, 1);
        if (some.answer == Solution::Answer::out_of_time) {
          ++stopped;
          EXPECT_TRUE(some.order.empty());
          EXPECT_TRUE(some.cores.empty());
          continue;
        }
        EXPECT_EQ(some.answer, whole.answer);
        EXPECT_EQ(some.order, whole.order);
        EXPECT_EQ(some.cores, whole.cores);
        break;
      }
    }
  }
  EXPECT_GT(stopped, 100u);
}

}  // namespace
}  // namespace awdit
