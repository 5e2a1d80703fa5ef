#include "polygraph/search.h"

#include <algorithm>
#include <set>

#include "base/assert.h"
#include "base/make_set.h"

namespace awdit {

Search::Search(const Saturation& saturation)
    : saturation_(saturation),
      points_(saturation.points()),
      polygraph_(points_.polygraph()),
      order_(saturation) {}

bool Search::add(VersionPair pair) {
  const std::size_t before = variables_.size();
  literal(pair);
  return variables_.size() != before;
}

// The literal that says "the writer of older comes first".
Search::Literal Search::literal(VersionPair pair) {
  const std::uint32_t first = polygraph_.writer[pair.older];
  const std::uint32_t second = polygraph_.writer[pair.newer];
  const std::uint32_t low = std::min(first, second);
  const std::uint32_t high = std::max(first, second);
  const auto fresh = static_cast<std::uint32_t>(variables_.size());
  const auto [at, is_fresh] =
      variable_of_.try_emplace(std::uint64_t{low} << 32 | high, fresh);
  const Literal result = at->second * 2 + (first == low ? 0 : 1);
  if (!is_fresh) return result;
  Variable& variable = variables_.emplace_back();
  variable.low = low;
  variable.high = high;
  watches_.resize(variables_.size() * 2);
  // Both lists of versions ascend, so that common keys are found by merging.
  const auto mine = polygraph_.writes[low];
  const auto other = polygraph_.writes[high];
  for (std::size_t i = 0, j = 0; i < mine.size() && j < other.size();) {
    const std::uint32_t a = polygraph_.key_of[mine[i]];
    const std::uint32_t b = polygraph_.key_of[other[j]];
    if (a == b) {
      for (const std::uint32_t side : {0u, 1u}) {
        points_.for_each_edge(side == 0 ? mine[i] : other[j],
                              side == 0 ? other[j] : mine[i],
                              [&](std::uint32_t from, std::uint32_t to) {
                                if (!saturation_.leads(from, to)) {
                                  variable.arcs[side].push_back({from, to});
                                }
                              });
      }
    }
    i += a <= b ? 1 : 0;
    j += b <= a ? 1 : 0;
  }
  for (const auto& arcs : variable.arcs) {
    for (const Arc& arc : arcs) {
      for (const std::uint32_t point : {arc.from, arc.to}) {
        std::vector<std::uint32_t>& there = at_point_[point];
        if (there.empty() || there.back() != fresh) there.push_back(fresh);
      }
    }
  }
  queue(fresh);
  return result;
}

// Something about it may have changed.
void Search::queue(std::uint32_t variable) {
  Variable& it = variables_[variable];
  if (it.queued) return;
  it.queued = true;
  candidates_.emplace(it.activity, -std::int64_t{variable});
}

void Search::queue_moved() {
  for (const std::uint32_t point : order_.moved()) {
    const auto there = at_point_.find(point);
    if (there == at_point_.end()) continue;
    for (const std::uint32_t variable : there->second) {
      if (variables_[variable].value == kNone) queue(variable);
    }
  }
  order_.moved().clear();
}

void Search::add_clash(Clash clash) {
  Clause clause;
  for (const VersionPair& pair : clash.pairs) {
    clause.literals.push_back(literal(pair) ^ 1);
    variables_[clause.literals.back() / 2].clashes = true;
    queue(clause.literals.back() / 2);
  }
  make_set(clause.literals);
  clause.clash = static_cast<std::uint32_t>(clashes_.size());
  clashes_.push_back(std::move(clash));
  pending_.push_back(static_cast<std::uint32_t>(clauses_.size()));
  clauses_.push_back(std::move(clause));
}

void Search::set(Literal l, std::uint32_t reason) {
  Variable& variable = variables_[l / 2];
  variable.value = l;
  variable.depth = depth();
  variable.reason = reason;
  trail_.push_back(l);
  arcs_added_.push_back(0);
}

void Search::undo(std::uint32_t depth) {
  if (this->depth() <= depth) return;
  const std::size_t size = marks_[depth];
  while (trail_.size() > size) {
    const Literal l = trail_.back();
    Variable& variable = variables_[l / 2];
    const std::vector<Arc>& arcs = variable.arcs[l % 2];
    for (std::uint32_t i = arcs_added_.back(); i-- > 0;) {
      order_.take_away(arcs[i].from, arcs[i].to);
    }
    variable.value = kNone;
    queue(l / 2);
    trail_.pop_back();
    arcs_added_.pop_back();
  }
  marks_.resize(depth);
  arcs_done_ = std::min(arcs_done_, size);
  clauses_done_ = std::min(clauses_done_, size);
}

// The dependencies of a literal; a clause if they close a cycle.
std::uint32_t Search::add_arcs(std::size_t at) {
  const Literal l = trail_[at];
  const std::vector<Arc>& arcs = variables_[l / 2].arcs[l % 2];
  for (std::uint32_t i = arcs_added_[at]; i < arcs.size(); ++i) {
    if (order_.add(arcs[i].from, arcs[i].to, l)) {
      ++arcs_added_[at];
      continue;
    }
    Clause clause;
    clause.cycle = order_.path(arcs[i].to, arcs[i].from);
    clause.cycle.push_back({arcs[i].from, arcs[i].to, l});
    for (const IncrementalOrder::Step& step : clause.cycle) {
      if (step.label != IncrementalOrder::kNone) {
        clause.literals.push_back(step.label ^ 1);
      }
    }
    make_set(clause.literals);
    return add_clause(std::move(clause));
  }
  return kNone;
}

// Keeps the clause; two literals are watched: those that became false last, or
// are not false.
std::uint32_t Search::add_clause(Clause clause) {
  const auto rank = [&](Literal l) {
    return is_false(l) ? variables_[l / 2].depth : kNoId;
  };
  std::vector<Literal>& literals = clause.literals;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, literals.size()); ++i) {
    for (std::size_t j = i + 1; j < literals.size(); ++j) {
      if (rank(literals[j]) > rank(literals[i])) {
        std::swap(literals[i], literals[j]);
      }
    }
  }
  const auto number = static_cast<std::uint32_t>(clauses_.size());
  if (literals.size() > 1) {
    watches_[literals[0]].push_back(number);
    watches_[literals[1]].push_back(number);
  }
  clauses_.push_back(std::move(clause));
  return number;
}

// Clauses that watch l, which has become false.
std::uint32_t Search::follow(Literal l) {
  std::vector<std::uint32_t>& watching = watches_[l];
  std::size_t kept = 0;
  std::uint32_t conflict = kNone;
  for (std::size_t i = 0; i < watching.size(); ++i) {
    const std::uint32_t number = watching[i];
    std::vector<Literal>& literals = clauses_[number].literals;
    if (conflict != kNone) {
      watching[kept++] = number;
      continue;
    }
    if (literals[0] == l) std::swap(literals[0], literals[1]);
    bool moved = false;
    if (!is_true(literals[0])) {
      for (std::size_t j = 2; j < literals.size() && !moved; ++j) {
        if (is_false(literals[j])) continue;
        std::swap(literals[1], literals[j]);
        watches_[literals[1]].push_back(number);
        moved = true;
      }
    }
    if (moved) continue;
    watching[kept++] = number;
    if (is_true(literals[0])) continue;
    if (is_false(literals[0])) {
      conflict = number;
    } else {
      set(literals[0], number);
    }
  }
  watching.resize(kept);
  return conflict;
}

std::uint32_t Search::propagate() {
  while (clauses_done_ < trail_.size() || arcs_done_ < trail_.size()) {
    if (clauses_done_ < trail_.size()) {
      const std::uint32_t conflict = follow(trail_[clauses_done_++] ^ 1);
      if (conflict != kNone) return conflict;
      continue;
    }
    const std::uint32_t conflict = add_arcs(arcs_done_);
    if (conflict != kNone) return conflict;
    ++arcs_done_;
  }
  return kNone;
}

void Search::bump(std::uint32_t variable) {
  variables_[variable].activity += increment_;
  if (variables_[variable].activity < 1e100) return;
  for (Variable& each : variables_) each.activity *= 1e-100;
  increment_ *= 1e-100;
}

// Learns from a clause that is false; false: it is refuted for good.
bool Search::resolve(std::uint32_t conflict) {
  ++conflicts_;
  // A clash that was brought in may have been false for a while.
  std::uint32_t deepest = 0;
  for (const Literal l : clauses_[conflict].literals) {
    deepest = std::max(deepest, variables_[l / 2].depth);
  }
  undo(deepest);
  if (deepest == 0) {
    refutation_ = conflict;
    return false;
  }
  Clause learned;
  learned.literals.push_back(kNone);  // place of the asserting literal
  std::set<std::uint32_t> seen;
  std::size_t open = 0;  // literals of this depth still to be resolved
  std::size_t at = trail_.size();
  std::uint32_t clause = conflict;
  for (;;) {
    learned.parents.push_back(clause);
    for (const Literal l : clauses_[clause].literals) {
      const std::uint32_t v = l / 2;
      if (is_true(l) || !seen.insert(v).second) continue;
      if (variables_[v].depth == 0) {
        learned.parents.push_back(variables_[v].reason);
        continue;
      }
      bump(v);
      if (variables_[v].depth == depth()) {
        ++open;
      } else {
        learned.literals.push_back(l);
      }
    }
    do {
      --at;
    } while (!seen.contains(trail_[at] / 2) ||
             variables_[trail_[at] / 2].depth != depth());
    --open;
    if (open == 0) break;
    clause = variables_[trail_[at] / 2].reason;
  }
  learned.literals[0] = trail_[at] ^ 1;
  std::uint32_t back = 0;
  for (std::size_t i = 1; i < learned.literals.size(); ++i) {
    back = std::max(back, variables_[learned.literals[i] / 2].depth);
  }
  undo(back);
  const Literal asserted = learned.literals[0];
  const std::uint32_t number = add_clause(std::move(learned));
  set(asserted, number);
  increment_ *= 1.05;
  return true;
}

// A clause that came from outside, now that nothing is decided.
bool Search::bring_in(std::uint32_t clause) {
  std::vector<Literal>& literals = clauses_[clause].literals;
  std::stable_partition(literals.begin(), literals.end(),
                        [&](Literal l) { return !is_false(l); });
  if (literals.empty() || is_false(literals[0])) {
    refutation_ = clause;
    return false;
  }
  if (literals.size() > 1) {
    watches_[literals[0]].push_back(clause);
    watches_[literals[1]].push_back(clause);
  }
  if ((literals.size() == 1 || is_false(literals[1])) &&
      !is_true(literals[0])) {
    set(literals[0], clause);
  }
  return true;
}

// How many of its dependencies the order contradicts.
std::uint32_t Search::disagreeing(Literal l) const {
  std::uint32_t count = 0;
  for (const Arc& arc : variables_[l / 2].arcs[l % 2]) {
    count += order_.place(arc.from) > order_.place(arc.to) ? 1 : 0;
  }
  return count;
}

bool Search::decide() {
  queue_moved();
  while (!candidates_.empty()) {
    const auto v = static_cast<std::uint32_t>(-candidates_.top().second);
    candidates_.pop();
    Variable& variable = variables_[v];
    variable.queued = false;
    if (variable.value != kNone) continue;
    const std::uint32_t low = disagreeing(v * 2);
    const std::uint32_t high = disagreeing(v * 2 + 1);
    if ((low == 0 || high == 0) && !variable.clashes) continue;
    ++decisions_;
    marks_.push_back(trail_.size());
    const bool low_first =
        low != high ? low < high
                    : order_.place(points_.commit(variable.low)) <
                          order_.place(points_.commit(variable.high));
    set(v * 2 + (low_first ? 0 : 1), kNone);
    return true;
  }
  return false;
}

Search::End Search::run(std::uint64_t conflicts) {
  if (refutation_ != kNone) return End::refuted;
  undo(0);
  for (const std::uint32_t clause : pending_) {
    if (!bring_in(clause)) return End::refuted;
  }
  pending_.clear();
  for (;;) {
    if (conflicts_ > conflicts) return End::out_of_conflicts;
    saturation_.budget().ask();
    const std::uint32_t conflict = propagate();
    if (conflict != kNone) {
      if (!resolve(conflict)) return End::refuted;
    } else if (!decide()) {
      return End::order;
    }
  }
}

std::vector<std::uint32_t> Search::core() const {
  AWDIT_ASSERT(refutation_ != kNone);
  Core core(saturation_);
  std::vector<std::uint8_t> seen(clauses_.size(), 0);
  std::vector<std::uint32_t> open = {refutation_};
  seen[refutation_] = 1;
  const auto visit = [&](std::uint32_t clause) {
    if (clause == kNone || seen[clause] != 0) return;
    seen[clause] = 1;
    open.push_back(clause);
  };
  while (!open.empty()) {
    const Clause& clause = clauses_[open.back()];
    open.pop_back();
    for (const std::uint32_t parent : clause.parents) visit(parent);
    // What is settled for good and made this clause short or false.
    for (const Literal l : clause.literals) {
      const Variable& variable = variables_[l / 2];
      if (variable.value != kNone && variable.depth == 0) {
        visit(variable.reason);
      }
    }
    for (const IncrementalOrder::Step& step : clause.cycle) {
      if (step.label == IncrementalOrder::kNone) {
        core.add_arc(step.from, step.to);
        continue;
      }
      core.add_step(step.from, step.to);
      core.add_txn(variables_[step.label / 2].low);
      core.add_txn(variables_[step.label / 2].high);
    }
    if (clause.clash == kNone) continue;
    const Clash& clash = clashes_[clause.clash];
    for (const VersionPair& pair : clash.pairs) {
      core.add_txn(polygraph_.writer[pair.older]);
      core.add_txn(polygraph_.writer[pair.newer]);
    }
    for (const Clash::Hop& hop : clash.arcs) core.add_arc(hop.from, hop.to);
    for (const Clash::Hop& hop : clash.paths) core.add_path(hop.from, hop.to);
  }
  return core.take();
}

}  // namespace awdit
