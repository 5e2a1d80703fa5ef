#include "polygraph/incremental_order.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace awdit {

namespace {

// Of the budget, for a point and its neighbours.
constexpr std::uint64_t kSteps = 8;

}  // namespace

IncrementalOrder::IncrementalOrder(const Saturation& saturation)
    : saturation_(saturation),
      points_(saturation.points()),
      pace_(saturation.budget()),
      order_(saturation.order()),
      place_(order_.size()),
      more_out_(order_.size()),
      more_in_(order_.size()),
      seen_(order_.size(), 0) {
  for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  out_ = NumberLists(order_.size(), [&](auto&& visit) {
    for (std::uint32_t point = 0; point < points_.size(); ++point) {
      if (const std::uint32_t previous = points_.previous(point);
          previous != kNoId) {
        visit(previous, point);
      }
      for (const std::uint32_t source : points_.sources(point)) {
        visit(source, point);
      }
    }
    for (const Saturation::Dependency& d : saturation_.dependencies()) {
      visit(d.from, d.to);
    }
  });
}

template <typename Visit>
void IncrementalOrder::for_each_successor(std::uint32_t point,
                                          Visit&& visit) const {
  for (const std::uint32_t next : out_[point]) visit(next, kNone);
  for (const Entry& entry : more_out_[point]) visit(entry.point, entry.label);
}

template <typename Visit>
void IncrementalOrder::for_each_predecessor(std::uint32_t point,
                                            Visit&& visit) const {
  if (const std::uint32_t previous = points_.previous(point);
      previous != kNoId) {
    visit(previous);
  }
  for (const std::uint32_t source : points_.sources(point)) visit(source);
  for (const std::uint32_t i : saturation_.into(point)) {
    visit(saturation_.dependencies()[i].from);
  }
  for (const Entry& entry : more_in_[point]) visit(entry.point);
}

bool IncrementalOrder::add(std::uint32_t from, std::uint32_t to,
                           std::uint32_t label) {
  const std::uint32_t low = place_[to], high = place_[from];
  if (low < high) {
    // What `to` leads to, and what leads to `from`, between the two.
    bool cycle = false;
    ahead_.assign(1, to);
    seen_[to] = 1;
    for (std::size_t i = 0; i < ahead_.size() && !cycle; ++i) {
      pace_.step(kSteps + out_[ahead_[i]].size());
      for_each_successor(ahead_[i], [&](std::uint32_t next, std::uint32_t) {
        if (next == from) cycle = true;
        if (place_[next] > high || seen_[next] != 0) return;
        seen_[next] = 1;
        ahead_.push_back(next);
      });
    }
    for (const std::uint32_t point : ahead_) seen_[point] = 0;
    if (cycle) return false;
    behind_.assign(1, from);
    seen_[from] = 1;
    for (std::size_t i = 0; i < behind_.size(); ++i) {
      pace_.step(kSteps + saturation_.into(behind_[i]).size());
      for_each_predecessor(behind_[i], [&](std::uint32_t before) {
        if (place_[before] < low || seen_[before] != 0) return;
        seen_[before] = 1;
        behind_.push_back(before);
      });
    }
    for (const std::uint32_t point : behind_) seen_[point] = 0;
    reorder();
  }
  more_out_[from].push_back({to, label});
  more_in_[to].push_back({from, label});
  return true;
}

// What leads to `from` takes the first of the places, what `to` leads to the
// others.
void IncrementalOrder::reorder() {
  const auto place = [&](std::uint32_t point) { return place_[point]; };
  std::ranges::sort(ahead_, {}, place);
  std::ranges::sort(behind_, {}, place);
  slots_.clear();
  for (const std::uint32_t point : ahead_) slots_.push_back(place_[point]);
  for (const std::uint32_t point : behind_) slots_.push_back(place_[point]);
  std::ranges::sort(slots_);
  std::size_t i = 0;
  for (const auto* list : {&behind_, &ahead_}) {
    for (const std::uint32_t point : *list) {
      if (place_[point] != slots_[i]) moved_.push_back(point);
      place_[point] = slots_[i];
      order_[slots_[i]] = point;
      ++i;
    }
  }
}

void IncrementalOrder::take_away(std::uint32_t from, std::uint32_t to) {
  more_out_[from].pop_back();
  more_in_[to].pop_back();
}

std::vector<IncrementalOrder::Step> IncrementalOrder::path(std::uint32_t from,
                                                           std::uint32_t to) {
  struct Visit {
    std::uint32_t cost;
    std::uint32_t parent;
    std::uint32_t label;
    bool done;
  };
  const std::uint32_t high = place_[to];
  std::unordered_map<std::uint32_t, Visit> visits;
  std::deque<std::uint32_t> queue = {from};
  visits.emplace(from, Visit{0, kNoId, kNone, false});
  while (!queue.empty()) {
    const std::uint32_t point = queue.front();
    queue.pop_front();
    Visit& here = visits.at(point);
    if (here.done) continue;
    here.done = true;
    if (point == to) break;
    pace_.step(kSteps * (1 + out_[point].size()));
    const std::uint32_t cost = here.cost;
    for_each_successor(point, [&](std::uint32_t next, std::uint32_t label) {
      if (place_[next] > high) return;
      const std::uint32_t total = cost + (label == kNone ? 0 : 1);
      const auto [at, fresh] =
          visits.try_emplace(next, Visit{total, point, label, false});
      if (!fresh) {
        if (at->second.done || at->second.cost <= total) return;
        at->second = {total, point, label, false};
      }
      if (label == kNone) {
        queue.push_front(next);
      } else {
        queue.push_back(next);
      }
    });
  }
  std::vector<Step> steps;
  for (std::uint32_t point = to; point != from;) {
    const Visit& visit = visits.at(point);
    steps.push_back({visit.parent, point, visit.label});
    point = visit.parent;
  }
  std::ranges::reverse(steps);
  return steps;
}

}  // namespace awdit
