// A level holds iff some total order of the transactions, containing so u wr,
// obeys its axiom: so we try them all. Orders grow one transaction at a time,
// always one whose predecessors are in place already; that gives every order
// that contains so u wr, and no other. What the axioms above causal say about a
// transaction depends on those before it only, so that they are asked as soon
// as it has its place. Lists have a walk of their own: list_replay.cpp.
#include <algorithm>
#include <limits>

#include "oracle/list_replay.h"
#include "oracle/oracle.h"

namespace awdit::oracle {
namespace {

class Search {
 public:
  Search(const Facts& facts, const Oracle& oracle)
      : facts_(facts), oracle_(oracle), ranks_(facts.init + 1, kLater) {
    ranks_[facts.init] = 0;
    placed_.insert(facts.init);
  }

  // Whether the orders that begin with what is placed contain one that obeys
  // the axiom. Recursion is as deep as there are transactions: seven or so.
  bool extends() {
    if (placed_.size() == facts_.live.size() + 1) {
      return oracle_.strong() || oracle_.axiom(facts_, ranks_);
    }
    for (std::uint32_t t : facts_.live) {
      if (placed_.contains(t)) continue;
      const std::set<std::uint32_t>& first = facts_.directly_before[t];
      if (!std::includes(placed_.begin(), placed_.end(), first.begin(),
                         first.end())) {
        continue;
      }
      ranks_[t] = placed_.size();
      placed_.insert(t);
      if (!oracle_.strong() || fits(facts_, oracle_, ranks_, t)) {
        if (extends()) return true;
      }
      placed_.erase(t);
      ranks_[t] = kLater;
    }
    return false;
  }

 private:
  static constexpr std::size_t kLater = std::numeric_limits<std::size_t>::max();

  const Facts& facts_;
  const Oracle& oracle_;
  Ranks ranks_;
  std::set<std::uint32_t> placed_;
};

bool obeys(const Facts& facts, const Oracle& oracle,
           const std::vector<std::uint32_t>& order) {
  Ranks ranks(facts.init + 1, 0);
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = i + 1;
  for (std::uint32_t b : order) {
    for (std::uint32_t a : facts.directly_before[b]) {
      if (ranks[a] >= ranks[b]) return false;
    }
  }
  if (!oracle.strong()) return oracle.axiom(facts, ranks);
  return std::all_of(order.begin(), order.end(), [&](std::uint32_t t) {
    return fits(facts, oracle, ranks, t);
  });
}

}  // namespace

bool satisfies(const Facts& facts, const Oracle& oracle,
               const std::vector<std::uint32_t>& order) {
  const std::set<std::uint32_t> listed(order.begin(), order.end());
  if (listed != facts.live || order.size() != listed.size()) return false;
  if (facts.lists) {
    const std::optional<Facts> told = told_along(facts, order);
    return told && obeys(*told, oracle, order);
  }
  return facts.read_findings.empty() && obeys(facts, oracle, order);
}

bool brute_force(const Facts& facts, const Oracle& oracle) {
  if (facts.lists) return some_order_of_lists(facts, oracle);
  return facts.read_findings.empty() && Search(facts, oracle).extends();
}

}  // namespace awdit::oracle
