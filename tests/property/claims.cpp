// What the verifier says of claims that no check made: evidence that was made
// up or is another level's is rejected, and an order accepted exactly if the
// definition of the level accepts it.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "property/forge.h"
#include "property/trial.h"

namespace awdit::property {
namespace {

using oracle::Oracle;

class Claims : TrialPart {
 public:
  using TrialPart::TrialPart;

  void malformed() {
    for (const Level* level : applicable_levels(history_)) {
      LevelReport claim;
      claim.level = level;
      claim.verdict = Verdict::holds;
      for (std::uint32_t t : facts_.live) {
        if (speaks_of_snapshots(*level)) {
          claim.snapshots.push_back(
              static_cast<std::uint32_t>(claim.commit_order.size()));
        }
        claim.commit_order.push_back(TxnId(t));
      }
      must_reject(claim, "a commit order of a malformed history");
    }
  }

  void all(const Report& report) {
    for (const LevelReport& level : report.levels) {
      for (const Forgery& forgery : forge(history_, facts_, level, random_)) {
        must_reject(forgery.claim, forgery.what);
      }
      try_shuffled_orders(level);
    }
    // What proves one verdict does not prove the other one elsewhere.
    for (const LevelReport& one : report.levels) {
      for (const LevelReport& other : report.levels) {
        if (one.verdict == other.verdict) continue;
        LevelReport claim = one;
        claim.level = other.level;
        must_reject(claim, "evidence of " + std::string(one.level->name));
        std::vector<Violation> renamed(one.violations.begin(),
                                       one.violations.end());
        for (Violation& violation : renamed) {
          violation.kind = other.level->cycle;
        }
        claim.violations = std::move(renamed);
        must_reject(claim, "renamed evidence of another level");
      }
    }
  }

 private:
  // The verifier accepts an order exactly if the definition does.
  void try_shuffled_orders(const LevelReport& level) {
    const Oracle* oracle = oracle::find_oracle(level.level->name);
    std::vector<TxnId> order;
    for (std::uint32_t t : facts_.live) order.push_back(TxnId(t));
    for (int tries = 0; tries < 3; ++tries) {
      if (tries != 0) std::shuffle(order.begin(), order.end(), random_);
      judge_order(level, *oracle, order, "an order");
    }
    if (level.verdict == Verdict::holds && level.commit_order.size() > 1) {
      // A small change to a right one: often it is right as well.
      order = level.commit_order;
      const std::size_t i = random_() % (order.size() - 1);
      std::swap(order[i], order[i + 1]);
      judge_order(level, *oracle, order, "two swapped");
    }
  }

  void judge_order(const LevelReport& level, const Oracle& oracle,
                   const std::vector<TxnId>& order, const std::string& what) {
    LevelReport claim;
    claim.level = level.level;
    claim.verdict = Verdict::holds;
    claim.commit_order = order;
    const auto judge = [&](const std::string& of) {
      const bool right = satisfies(oracle, claim.commit_order, claim.snapshots);
      if (verifier_.judge(claim).accepted != right) {
        complain(*level.level, "the verifier misjudges " + of);
      }
    };
    if (!oracle.has_snapshots()) return judge(what);
    claim.snapshots =
        oracle::smallest_snapshots(facts_, oracle, numbers(order));
    judge(what + " with the smallest snapshots");
    if (claim.snapshots.empty()) return;
    const std::size_t i = random_() % claim.snapshots.size();
    claim.snapshots[i] = static_cast<std::uint32_t>(random_() % (i + 2));
    judge(what + " with another snapshot");
    claim.snapshots.pop_back();
    judge(what + " with a snapshot too few");
  }
};

}  // namespace

void judge_claims(Trial& trial, const Report& report) {
  Claims(trial).all(report);
}

void reject_everything(Trial& trial) { Claims(trial).malformed(); }

}  // namespace awdit::property
