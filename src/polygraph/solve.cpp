// The steps of a solution: infer, replay, search what the replay stumbled over,
// replay again.
#include <utility>

#include "polygraph/core.h"
#include "polygraph/polygraph.h"
#include "polygraph/replay.h"
#include "polygraph/saturate.h"
#include "polygraph/search.h"

namespace awdit {
namespace {

void take_order(const Points& points, std::span<const std::uint32_t> order,
                Solution& solution) {
  const std::uint32_t txns = points.polygraph().txns;
  solution.answer = Solution::Answer::order;
  solution.order.reserve(txns);
  std::vector<std::uint32_t> seen;  // [txn] -> commits before its snapshot
  if (points.split()) seen.resize(txns);
  for (const std::uint32_t point : order) {
    if (points.is_time(point)) continue;
    const std::uint32_t txn = points.txn(point);
    if (point == points.commit(txn)) {
      solution.order.push_back(txn);
    } else {
      seen[txn] = static_cast<std::uint32_t>(solution.order.size());
    }
  }
  if (!points.split()) return;
  solution.snapshots.reserve(txns);
  for (const std::uint32_t txn : solution.order) {
    solution.snapshots.push_back(seen[txn]);
  }
}

void refute(std::vector<std::vector<std::uint32_t>> cores, Solution& solution) {
  solution.answer = Solution::Answer::refuted;
  solution.cores = std::move(cores);
}

}  // namespace

Solution solve(const Polygraph& polygraph, const Demand& demand,
               const Bounds& bounds, std::size_t most) {
  Solution solution;
  const Points points(polygraph, demand);
  // Dependencies and the rest take about as much again as the clocks of a few
  // chains; under `parallel` a replay has clocks of its own.
  const std::uint64_t clocks = Saturation::bytes(points);
  const std::uint64_t needed =
      clocks * (demand.forbidden == Forbidden::parallel ? 2 : 1) +
      std::uint64_t{points.size()} * 64 + polygraph.reads.size() * 16;
  if (needed > bounds.memory) {
    solution.answer = Solution::Answer::out_of_memory;
    return solution;
  }
  Saturation saturation(points);
  const Saturation::End end = saturation.run(bounds);
  solution.effort.rounds = saturation.rounds() + 1;
  solution.effort.inferred = saturation.dependencies().size();
  if (end == Saturation::End::out_of_time) return solution;
  if (end == Saturation::End::cycle) {
    refute(cores_of_cycles(saturation, most), solution);
    return solution;
  }
  Stumbles stumbles = replay(saturation, saturation.order());
  solution.effort.replays = 1;
  if (stumbles.none()) {
    take_order(points, saturation.order(), solution);
    return solution;
  }
  Search search(saturation);
  const auto finish = [&] {
    solution.effort.variables = search.variables();
    solution.effort.decisions = search.decisions();
    solution.effort.conflicts = search.conflicts();
  };
  for (;;) {
    for (const VersionPair& pair : stumbles.pairs) search.add(pair);
    for (Clash& clash : stumbles.clashes) search.add_clash(std::move(clash));
    switch (search.run(bounds)) {
      case Search::End::out_of_time:
        finish();
        return solution;
      case Search::End::refuted:
        finish();
        refute({search.core()}, solution);
        return solution;
      case Search::End::order:
        break;
    }
    stumbles = replay(saturation, search.order());
    ++solution.effort.replays;
    if (!stumbles.none()) continue;
    finish();
    take_order(points, search.order(), solution);
    return solution;
  }
}

}  // namespace awdit
