// Levels above causal: is there an order of versions without a forbidden cycle
// of dependencies?
//
// Cheapest first. (1) What breaks causal consistency breaks them all: that was
// decided before (check/ladder.h). (2) A history that is serial in the guessed
// order, in one that its lists show (shown_order.h), or in one that another
// level has found, satisfies them all. (3) In most recordings the guessed order
// has snapshots, or becomes serial with little ado (guessed_orders.h). (4) Lost
// updates (lost_updates.cpp), which only prefix allows. (5) Otherwise the
// history becomes a polygraph, and src/polygraph finds an order or refutes it;
// a refutation comes with a few transactions, of which prover.cpp makes the
// evidence. Of large histories of lists (4) and (5) are about the transactions
// on cycles alone. Cost: see polygraph/polygraph.h.
//
// Without session order every transaction is a chain, which is expensive. Most
// databases keep it all the same, so it is borrowed: an order that keeps
// sessions, too, is one; and a refutation counts if its few transactions are
// refuted without them. Only if that leads nowhere is the history taken as it
// is.
#include "check/dependencies.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/assert.h"
#include "base/budget.h"
#include "check/borrowed_chains.h"
#include "check/end_times.h"
#include "check/engines.h"
#include "check/guessed_orders.h"
#include "check/shown_order.h"

namespace awdit {

struct Dependencies {
  struct Solved {
    Demand demand;
    Solution solution;
  };
  Polygraph graph;
  std::optional<BorrowedChains> chains;  // empty: its own
  int attempts = 0;                      // with borrowed ones
  std::vector<Solved> solved;            // or known to be too much
  std::vector<std::uint32_t> serial;     // an order that is, if one was met
};

namespace {

// Conflicts before a level is no longer decided by way of a stronger one, nor a
// part of its transactions.
constexpr std::uint64_t kDetour = 5000;
// Of a level's time, the part that counts as all of it.
constexpr double kWhole = 0.9;
// Transactions of which a proof is searched right away, and how many parts of
// more are looked at.
constexpr std::size_t kFewTxns = 24;
constexpr int kMostParts = 256;
// Violations by dependencies that are proven; if there are as many there may be
// more (LevelReport::more).
constexpr std::size_t kMostCycles = 4096;
// Chains, and attempts, beyond which borrowing is no longer worth it.
constexpr std::uint32_t kMostChains = 4096;
constexpr int kMostAttempts = 8;
// Likewise those of more than kFewTxns.
constexpr std::size_t kMostLarge = 64;

Forbidden forbidden_by(const Level& level) {
  switch (level.cycles) {
    case Cycles::prefix:
      return Forbidden::prefix;
    case Cycles::parallel:
      return Forbidden::parallel;
    case Cycles::snapshot:
      return Forbidden::snapshot;
    default:
      return Forbidden::all;
  }
}

class Decision {
 public:
  Decision(Index& index, const Options& options, LevelReport& report,
           std::vector<Violation>& found)
      : index_(index),
        options_(options),
        report_(report),
        found_(found),
        level_(*report.level),
        finder_(index.history(), index.sources()),
        bounds_{.budget = &index.budget()} {}

  void decide() {
    // init comes first.
    txns_ = index_.order().subspan(1);
    if (is_serial_as_guessed() || is_decided_by_lists() ||
        has_guessed_answer()) {
      return;
    }
    make_graph();
    if (has_serial_order()) return;
    if (level_.cycles != Cycles::prefix) {
      find_lost_updates(index_, finder_, *graph_, txns_, options_.first,
                        found_);
    }
    if (found_.empty()) search();
    if (!found_.empty()) report_.verdict = Verdict::violated;
  }

 private:
  bool is_serial_as_guessed() {
    // Causal, so that versions of lists agree with the guess.
    if (index_.any_stale()) return false;
    if (level_.real_time && !keeps_real_time(index_.history(), txns_)) {
      return false;
    }
    holds([&](std::size_t i) { return txns_[i]; }, {});
    return true;
  }

  // Otherwise the order is as close to a serial one as could be had.
  bool has_guessed_answer() {
    index_.budget().need(std::uint64_t{index_.history().num_ops()} * 16);
    index_.budget().ask();
    index_.mend_roughly();
    if (has_guessed_snapshots() || has_guessed_serial_order()) return true;
    // Expensive, so last.
    if (level_.cycles == Cycles::all || !index_.mend()) return false;
    return has_guessed_snapshots() || has_guessed_serial_order();
  }

  bool keeps_time(std::span<const std::uint32_t> order) const {
    return !level_.real_time || keeps_real_time(index_.history(), order);
  }

  bool has_guessed_snapshots() {
    txns_ = index_.order().subspan(1);
    if (level_.cycles == Cycles::all || !keeps_time(txns_)) return false;
    const auto snapshots = guess_snapshots(index_, level_);
    if (!snapshots) return false;
    holds([&](std::size_t i) { return txns_[i]; }, *snapshots);
    return true;
  }

  bool has_guessed_serial_order() {
    const bool in_time =
        level_.real_time && keeps_time(index_.order().subspan(1));
    near_ = index_.known().near;
    if (near_ == nullptr ||
        (in_time && !near_->real_time &&
         (!near_->is_serial || !keeps_time(near_->order)))) {
      near_ = std::make_shared<const NearSerial>(
          guess_serial_order(index_, in_time));
      index_.known().near = near_;
      index_.known().dependencies.reset();
    }
    txns_ = near_->order;
    if (!near_->is_serial || !keeps_time(txns_)) return false;
    holds([&](std::size_t i) { return txns_[i]; }, {});
    return true;
  }

  // Lists tell all that such an order must respect.
  bool is_decided_by_lists() {
    if (!index_.history().has_lists() || level_.real_time) return false;
    const bool large = txns_.size() > options_.tangles_above;
    if (index_.leaves_out_reads() && !large) return false;
    std::shared_ptr<const ShownOrder>& known = index_.known().shown_order;
    if (known == nullptr) {
      index_.budget().need(std::uint64_t{index_.history().num_ops()} * 24);
      known = std::make_shared<const ShownOrder>(shown_order(index_));
      index_.budget().ask();
    }
    if (!known->tangles.empty()) {
      return large && is_decided_by_tangles(*known);
    }
    holds([&](std::size_t i) { return known->txns[i]; }, {});
    return true;
  }

  // By the transactions in tangles alone. Which violations are found of several
  // depends on who is looked at together.
  bool is_decided_by_tangles(const ShownOrder& order) {
    const std::vector<std::uint32_t> txns = tangled_txns(index_, order);
    std::optional<BorrowedChains> chains;
    if (!index_.history().session_order()) {
      chains = borrow_chains(index_, txns);
    }
    const Polygraph graph = chains ? make_polygraph(index_, txns, chains->of)
                                   : make_polygraph(index_, txns);
    if (level_.cycles != Cycles::prefix) {
      find_lost_updates(index_, finder_, graph, txns, options_.first, found_);
    }
    if (found_.empty()) {
      const Demand demand{forbidden_by(level_), false};
      const Solution solution = solve(graph, demand, bounds_, most_cores());
      if (solution.answer == Solution::Answer::order) {
        const Joined joined = join(order, txns, solution);
        holds([&](std::size_t i) { return joined.order[i]; }, joined.snapshots);
        return true;
      }
      if (solution.answer != Solution::Answer::refuted) return false;
      report_.more = solution.cores.size() >= kMostCycles;
      std::size_t large = 0;
      for (const std::vector<std::uint32_t>& core : solution.cores) {
        std::vector<std::uint32_t> few;
        for (const std::uint32_t t : core) few.push_back(txns[t]);
        if (chains && !is_refuted(few)) {
          report_.more = true;
          continue;
        }
        prove_core(std::move(few), large);
      }
      if (found_.empty()) {
        report_.more = false;
        return false;
      }
    }
    report_.verdict = Verdict::violated;
    return true;
  }

  // About 60 bytes per operation.
  void make_graph() {
    if (graph_ != nullptr) return;
    std::shared_ptr<Dependencies>& known = index_.known().dependencies;
    if (known == nullptr) {
      index_.budget().need(std::uint64_t{index_.history().num_ops()} * 60);
      auto made = std::make_shared<Dependencies>();
      if (!index_.history().session_order() &&
          txns_.size() > options_.borrow_above) {
        made->chains = borrow_chains(index_, txns_);
      }
      made->graph = graph_of(made->chains);
      known = std::move(made);
      index_.budget().ask();
    }
    known_ = known.get();
    graph_ = &known->graph;
  }

  bool has_serial_order() {
    const std::vector<std::uint32_t>& serial = known_->serial;
    if (serial.empty()) return false;
    if (level_.real_time && !keeps_real_time(*graph_, serial)) return false;
    holds([&](std::size_t i) { return txns_[serial[i]]; }, {});
    return true;
  }

  // `snapshots` empty: every snapshot is all that came before.
  template <typename TxnAt>
  void holds(TxnAt&& txn_at, std::span<const std::uint32_t> snapshots) {
    report_.verdict = Verdict::holds;
    if (!options_.commit_order) return;
    report_.commit_order.reserve(txns_.size());
    for (std::size_t i = 0; i < txns_.size(); ++i) {
      report_.commit_order.push_back(TxnId(txn_at(i)));
    }
    if (!speaks_of_snapshots(level_)) return;
    report_.snapshots.assign(snapshots.begin(), snapshots.end());
    if (!snapshots.empty()) return;
    report_.snapshots.resize(txns_.size());
    std::iota(report_.snapshots.begin(), report_.snapshots.end(), 0u);
  }

  // An order for a stronger level is one for this level. Most histories that
  // satisfy one of these levels satisfy serializability, whose search is the
  // quickest to end in an order; and what it finds serves all levels asked.
  void search() {
    const Forbidden own = forbidden_by(level_);
    for (;;) {
      if (own != Forbidden::all && take_order_of(Forbidden::all)) return;
      if (own == Forbidden::parallel && take_order_of(Forbidden::snapshot)) {
        return;
      }
      const Solution solution = solution_for(own, bounds_);
      switch (solution.answer) {
        case Solution::Answer::out_of_conflicts:
          AWDIT_ASSERT(false);  // they have no bound here
          [[fallthrough]];
        case Solution::Answer::out_of_time:
          throw UsedUp{UsedUp::What::time};
        case Solution::Answer::out_of_memory:
          throw UsedUp{UsedUp::What::memory};
        case Solution::Answer::order:
          take_order(solution);
          return;
        case Solution::Answer::refuted:
          break;
      }
      if (!prove(solution.cores)) return;
    }
  }

  // Makes a violation of these transactions, if they are not too many: `large`
  // counts those that are.
  void prove_core(std::vector<std::uint32_t> txns, std::size_t& large) {
    if (txns.size() > kFewTxns && ++large > kMostLarge) {
      report_.more = true;
      return;
    }
    make_smaller(txns);
    std::optional<Violation> violation =
        prove_violation(index_, finder_, level_, txns);
    if (violation) {
      found_.push_back(std::move(*violation));
    } else {
      report_.more = true;
    }
  }

  // Makes violations of what was refuted. Returns true if it was so only
  // because of chains that were borrowed: these have changed.
  bool prove(const std::vector<std::vector<std::uint32_t>>& cores) {
    report_.more = cores.size() >= kMostCycles;
    std::optional<BorrowedChains> chains = known_->chains;
    bool borrowed = false;
    bool broken = true;
    std::size_t large = 0;
    for (const std::vector<std::uint32_t>& core : cores) {
      std::vector<std::uint32_t> txns;
      for (const std::uint32_t t : core) txns.push_back(txns_[t]);
      std::ranges::sort(txns, {},
                        [&](std::uint32_t txn) { return index_.ranks()[txn]; });
      if (chains && !is_refuted(txns)) {
        borrowed = true;
        broken = chains->break_up(core) && broken;
        continue;
      }
      prove_core(std::move(txns), large);
    }
    report_.more = report_.more || borrowed;
    if (!found_.empty()) return false;
    if (!borrowed) {
      // Without a proof there is no verdict.
      report_.limit = Limit::proof;
      return false;
    }
    if (index_.leaves_out_reads()) {
      // The verdict is known; there may be more, but not at any price.
      report_.verdict = Verdict::holds;
      return false;
    }
    if (!broken || chains->count > kMostChains ||
        ++known_->attempts == kMostAttempts) {
      chains.reset();
    }
    known_->solved.clear();
    known_->graph = {};
    known_->graph = graph_of(chains);
    known_->chains = std::move(chains);
    report_.more = false;
    index_.budget().ask();
    return true;
  }

  Polygraph graph_of(const std::optional<BorrowedChains>& chains) const {
    if (!chains) return make_polygraph(index_, txns_);
    return make_polygraph(index_, txns_, chains->of);
  }

  bool is_refuted(std::span<const std::uint32_t> txns) const {
    Bounds bounds = bounds_;
    bounds.conflicts = kDetour;
    const Demand demand{forbidden_by(level_), level_.real_time};
    return solve(make_polygraph(index_, txns), demand, bounds, 1).answer ==
           Solution::Answer::refuted;
  }

  // A proof is searched in the square of its transactions and more. Of many,
  // halves, quarters and so on are left out as long as the rest is refuted.
  void make_smaller(std::vector<std::uint32_t>& txns) const {
    const Demand demand{forbidden_by(level_), level_.real_time};
    Bounds bounds = bounds_;
    bounds.conflicts = kDetour;
    int left = kMostParts;
    for (std::size_t many = txns.size() / 2; many != 0; many /= 2) {
      for (std::size_t i = 0; i < txns.size();) {
        if (txns.size() <= kFewTxns || left-- == 0) return;
        std::vector<std::uint32_t> part(txns.begin(),
                                        txns.begin() + std::ptrdiff_t(i));
        part.insert(
            part.end(),
            txns.begin() + std::ptrdiff_t(std::min(i + many, txns.size())),
            txns.end());
        const Solution solution =
            solve(make_polygraph(index_, part), demand, bounds, 1);
        if (solution.answer != Solution::Answer::refuted) {
          index_.budget().ask();
          i += many;
          continue;
        }
        txns.clear();
        for (const std::uint32_t t : solution.cores.front()) {
          txns.push_back(part[t]);
        }
      }
    }
  }

  bool take_order_of(Forbidden forbidden) {
    Bounds bounds = bounds_;
    bounds.conflicts = kDetour;
    const Solution solution = solution_for(forbidden, bounds);
    if (solution.answer != Solution::Answer::order) return false;
    take_order(solution);
    return true;
  }

  void take_order(const Solution& solution) {
    holds([&](std::size_t i) { return txns_[solution.order[i]]; },
          solution.snapshots);
    if (known_->serial.empty() && is_serial(*graph_, solution.order)) {
      known_->serial = solution.order;
    }
  }

  Solution solution_for(Forbidden forbidden, const Bounds& bounds) {
    for (const Dependencies::Solved& solved : known_->solved) {
      if (solved.demand.forbidden == forbidden &&
          solved.demand.real_time == level_.real_time) {
        return solved.solution;
      }
    }
    const Demand demand{forbidden, level_.real_time};
    const double seconds = index_.budget().seconds_left();
    Solution solution = solve(*graph_, demand, bounds, most_cores());
    // What took a level's whole time or memory would take another one's too.
    const bool hopeless = solution.answer == Solution::Answer::out_of_memory ||
                          (solution.answer == Solution::Answer::out_of_time &&
                           seconds >= options_.time_limit * kWhole);
    if (solution.answer == Solution::Answer::order ||
        solution.answer == Solution::Answer::refuted || hopeless) {
      known_->solved.push_back({demand, solution});
    }
    return solution;
  }

  std::size_t most_cores() const { return options_.first ? 1 : kMostCycles; }

  Index& index_;
  const Options& options_;
  LevelReport& report_;
  std::vector<Violation>& found_;
  const Level& level_;
  OpFinder finder_;
  Bounds bounds_;
  std::span<const std::uint32_t> txns_;  // contains so u wr
  std::shared_ptr<const NearSerial> near_;
  Dependencies* known_ = nullptr;
  const Polygraph* graph_ = nullptr;
};

}  // namespace

void decide_by_dependencies(Index& index, const Options& options,
                            LevelReport& report,
                            std::vector<Violation>& found) {
  Decision(index, options, report, found).decide();
}

}  // namespace awdit
