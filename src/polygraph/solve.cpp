// The steps of a solution: where the guess goes wrong; there: infer, replay,
// search what the replay stumbled over, replay again.
#include <algorithm>
#include <utility>

#include "polygraph/core.h"
#include "polygraph/polygraph.h"
#include "polygraph/replay.h"
#include "polygraph/saturate.h"
#include "polygraph/search.h"
#include "polygraph/windows.h"

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

// Throws UsedUp.
Solution solve_whole(const Polygraph& polygraph, const Demand& demand,
                     const Bounds& bounds, std::size_t most) {
  Solution solution;
  const Points points(polygraph, demand);
  // Dependencies and the rest take about as much again as the clocks of a few
  // chains; under `parallel` a replay has clocks of its own.
  const std::uint64_t clocks = Saturation::bytes(points);
  bounds.budget->need(
      clocks * (demand.forbidden == Forbidden::parallel ? 2 : 1) +
      std::uint64_t{points.size()} * 64 + polygraph.reads.size() * 16);
  Saturation saturation(points, *bounds.budget);
  if (saturation.run() == Saturation::End::cycle) {
    refute(cores_of_cycles(saturation, most), solution);
    return solution;
  }
  Stumbles stumbles = replay(saturation, saturation.order());
  if (stumbles.none()) {
    take_order(points, saturation.order(), solution);
    return solution;
  }
  Search search(saturation);
  for (;;) {
    for (const VersionPair& pair : stumbles.pairs) search.add(pair);
    for (Clash& clash : stumbles.clashes) search.add_clash(std::move(clash));
    const Search::End end = search.run(bounds.conflicts);
    solution.decisions = search.decisions();
    switch (end) {
      case Search::End::out_of_conflicts:
        solution.answer = Solution::Answer::out_of_conflicts;
        return solution;
      case Search::End::refuted:
        refute({search.core()}, solution);
        return solution;
      case Search::End::order:
        break;
    }
    stumbles = replay(saturation, search.order());
    if (!stumbles.none()) continue;
    take_order(points, search.order(), solution);
    return solution;
  }
}

// Solves window by window. Throws UsedUp.
class Windowed {
 public:
  Windowed(const Polygraph& polygraph, const Demand& demand,
           const Bounds& bounds, std::size_t most)
      : polygraph_(polygraph),
        demand_(demand),
        bounds_(bounds),
        most_(most),
        cutter_(polygraph, *bounds.budget),
        windows_(find_windows(polygraph, demand.real_time, false)) {}

  // `out_of_conflicts` also if it leads nowhere.
  Solution run() {
    for (int tries = 0; tries < 5 && is_worth_it(); ++tries) {
      const Solution::Answer answer = solve_all();
      if (answer != Solution::Answer::refuted || !result_.cores.empty()) {
        result_.answer = answer;
        return std::move(result_);
      }
      if (tries == 0) {
        windows_ = find_windows(polygraph_, demand_.real_time, true);
      }
      merge(windows_);
    }
    result_.answer = Solution::Answer::out_of_conflicts;
    return std::move(result_);
  }

 private:
  bool is_worth_it() const {
    std::uint64_t inside = 0;
    for (const Window& window : windows_) {
      inside += window.last - window.first + 1;
    }
    return inside <= polygraph_.txns / 2;
  }

  // If a window was cut too narrow it is made wider, and the answer is refuted
  // without a core.
  Solution::Answer solve_all() {
    result_.order.clear();
    result_.snapshots.clear();
    bool wider = false;
    std::uint32_t next = 0;  // transaction that has no place yet
    for (Window& window : windows_) {
      const Solution solution =
          solve_whole(cutter_.cut(window, true), demand_, bounds_, 1);
      result_.decisions += solution.decisions;
      if (solution.answer == Solution::Answer::order) {
        if (!wider) place(window, solution, next);
        continue;
      }
      if (solution.answer != Solution::Answer::refuted) return solution.answer;
      const Solution alone =
          solve_whole(cutter_.cut(window, false), demand_, bounds_, most_);
      result_.decisions += alone.decisions;
      if (alone.answer == Solution::Answer::refuted) {
        take_cores(window, alone);
        if (result_.cores.size() >= most_) break;
        continue;
      }
      wider = true;
      const std::uint32_t size = window.last - window.first + 1;
      window.first -= std::min(window.first, size);
      window.last += std::min(polygraph_.txns - 1 - window.last, size);
    }
    if (!result_.cores.empty() || wider) return Solution::Answer::refuted;
    place_serially(next, polygraph_.txns);
    return Solution::Answer::order;
  }

  void place_serially(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t t = from; t < to; ++t) {
      result_.snapshots.push_back(t);
      result_.order.push_back(t);
    }
  }

  void place(Window window, const Solution& solution, std::uint32_t& next) {
    place_serially(next, window.first);
    for (std::size_t i = 0; i < solution.order.size(); ++i) {
      result_.order.push_back(window.first + solution.order[i]);
      if (!solution.snapshots.empty()) {
        result_.snapshots.push_back(window.first + solution.snapshots[i]);
      } else {
        result_.snapshots.push_back(window.first +
                                    static_cast<std::uint32_t>(i));
      }
    }
    next = window.last + 1;
  }

  void take_cores(Window window, const Solution& solution) {
    for (const std::vector<std::uint32_t>& core : solution.cores) {
      if (result_.cores.size() >= most_) return;
      std::vector<std::uint32_t>& here = result_.cores.emplace_back();
      for (const std::uint32_t t : core) here.push_back(window.first + t);
    }
  }

  const Polygraph& polygraph_;
  const Demand& demand_;
  const Bounds& bounds_;
  const std::size_t most_;
  Cutter cutter_;
  std::vector<Window> windows_;
  Solution result_;
};

Solution solve_within(const Polygraph& polygraph, const Demand& demand,
                      const Bounds& bounds, std::size_t most) {
  Solution solution = Windowed(polygraph, demand, bounds, most).run();
  const std::uint64_t decisions = solution.decisions;
  if (solution.answer == Solution::Answer::order ||
      solution.answer == Solution::Answer::refuted) {
    if (demand.forbidden == Forbidden::all ||
        demand.forbidden == Forbidden::parallel) {
      solution.snapshots.clear();
    }
    return solution;
  }
  solution = solve_whole(polygraph, demand, bounds, most);
  solution.decisions += decisions;
  return solution;
}

}  // namespace

Solution solve(const Polygraph& polygraph, const Demand& demand,
               const Bounds& bounds, std::size_t most) {
  try {
    return solve_within(polygraph, demand, bounds, most);
  } catch (const UsedUp& used_up) {
    if (used_up.what == UsedUp::What::interest) throw;
    Solution solution;
    solution.answer = used_up.what == UsedUp::What::time
                          ? Solution::Answer::out_of_time
                          : Solution::Answer::out_of_memory;
    return solution;
  }
}

}  // namespace awdit
