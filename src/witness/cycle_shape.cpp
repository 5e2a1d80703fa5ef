#include "witness/cycle_shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace awdit {
namespace {

bool misses(const Edge& edge) { return edge.reason == Reason::anti_dependency; }

std::size_t count_missed(std::span<const Edge> edges) {
  return static_cast<std::size_t>(
      std::count_if(edges.begin(), edges.end(), misses));
}

// Where an anti-dependency follows another one directly, or edges.size().
std::size_t find_adjacent(std::span<const Edge> edges) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (misses(edges[i]) && misses(edges[(i + 1) % edges.size()])) return i;
  }
  return edges.size();
}

// A reader knows of a write because it read it, or because it comes later in
// the same session.
bool knows(const Edge& edge) {
  return edge.reason == Reason::reads_from ||
         edge.reason == Reason::session_order;
}

// Two writes, in opposite orders to two readers: each knew of one and missed
// the other.
bool is_long_fork(std::span<const Edge> edges) {
  if (edges.size() != 4) return false;
  const std::size_t first = misses(edges[0]) ? 0 : 1;
  return misses(edges[first]) && misses(edges[first + 2]) &&
         knows(edges[1 - first]) && knows(edges[3 - first]);
}

}  // namespace

std::string why_allowed(const Level& level, std::span<const Edge> edges) {
  const std::size_t size = edges.size();
  switch (level.cycles) {
    case Cycles::all:
      return "";
    case Cycles::parallel:
      if (count_missed(edges) <= 1) return "";
      return fmt::format(
          "{} allows it, because it has several anti-dependencies",
          level.title);
    case Cycles::snapshot: {
      const std::size_t at = find_adjacent(edges);
      if (at == size) return "";
      return fmt::format(
          "{} allows it, because edges {} and {} are anti-dependencies in a "
          "row",
          level.title, at + 1, (at + 1) % size + 1);
    }
    case Cycles::prefix:
      for (std::size_t i = 0; i < size; ++i) {
        const Reason before = edges[(i + size - 1) % size].reason;
        if (!misses(edges[i]) || before == Reason::session_order ||
            before == Reason::reads_from || before == Reason::real_time) {
          continue;
        }
        return fmt::format(
            "{} allows it, because edge {} is an anti-dependency directly "
            "behind {}",
            level.title, i + 1,
            before == Reason::version_order ? "an order of versions"
                                            : "another one");
      }
      return "";
    case Cycles::by_axiom:
      break;
  }
  return fmt::format("{} does not look at dependencies", level.title);
}

void CycleNamer::add(std::span<const Edge> edges) {
  for (const Edge& edge : edges) {
    timed_ = timed_ || edge.reason == Reason::real_time;
  }
  const std::size_t missed = count_missed(edges);
  adjacent_ = adjacent_ || find_adjacent(edges) != edges.size();
  several_ = several_ || missed > 1;
  if (missed == 2 && edges.size() == 2) {
    last_ = Kind::write_skew;
  } else if (missed == 2 && is_long_fork(edges)) {
    last_ = Kind::long_fork;
  } else {
    last_ = missed == 0 ? Kind::dependency_cycle : Kind::read_skew;
  }
}

Kind CycleNamer::kind() const {
  if (timed_) return Kind::real_time_violation;
  if (adjacent_) {
    return last_ == Kind::write_skew ? last_ : Kind::g2_item;
  }
  if (several_) {
    return last_ == Kind::long_fork ? last_ : Kind::g_nonadjacent;
  }
  return last_;
}

}  // namespace awdit
