// A level holds iff some total order of the transactions, containing so u wr,
// obeys its axiom: so we try them all. Orders grow one transaction at a time,
// always one whose predecessors are in place already; that gives every order
// that contains so u wr, and no other.
#include <algorithm>

#include "oracle/oracle.h"

namespace awdit::oracle {
namespace {

class Search {
 public:
  Search(const Facts& facts, const Oracle& oracle)
      : facts_(facts), oracle_(oracle), ranks_(facts.init + 1, 0) {
    placed_.insert(facts.init);
  }

  // Whether the orders that begin with what is placed contain one that obeys
  // the axiom. Recursion is as deep as there are transactions: seven or so.
  bool extends() {
    if (placed_.size() == facts_.live.size() + 1) {
      return oracle_.axiom(facts_, ranks_);
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
      if (extends()) return true;
      placed_.erase(t);
    }
    return false;
  }

 private:
  const Facts& facts_;
  const Oracle& oracle_;
  Ranks ranks_;
  std::set<std::uint32_t> placed_;
};

}  // namespace

bool satisfies(const Facts& facts, const Oracle& oracle,
               const std::vector<std::uint32_t>& order) {
  const std::set<std::uint32_t> listed(order.begin(), order.end());
  if (listed != facts.live || order.size() != listed.size()) return false;
  if (!facts.read_findings.empty()) return false;
  Ranks ranks(facts.init + 1, 0);
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = i + 1;
  for (std::uint32_t b : order) {
    for (std::uint32_t a : facts.directly_before[b]) {
      if (ranks[a] >= ranks[b]) return false;
    }
  }
  return oracle.axiom(facts, ranks);
}

bool brute_force(const Facts& facts, const Oracle& oracle) {
  return facts.read_findings.empty() && Search(facts, oracle).extends();
}

}  // namespace awdit::oracle
