// What every telling of a proof does: it adds steps, notes the operations they
// rest on, and says of each transaction of unknown outcome, where it is first
// met, why it counts. Private to src/tell.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "history/history.h"
#include "tell/proof.h"

namespace awdit {

class ProofSteps {
 public:
  explicit ProofSteps(const History& history) : history_(history) {}

  ProofStep& add() { return proof.steps.emplace_back(); }
  // The number of the last step, from 1.
  std::size_t number() const { return proof.steps.size(); }

  // A blank and a sentence for each that was not met before.
  std::string unknown_of(std::span<const Step> steps);
  std::string unknown_of(std::span<const TxnId> txns);

  static void add_op(ProofStep& step, OpId op);
  static void add_ops(ProofStep& step, std::span<const Step> path);

  Proof proof;

 private:
  const History& history_;
  std::vector<TxnId> told_;
};

// "t4 comes before t6"
std::string before(const History& history, TxnId from, TxnId to);

// The edge as a step. REQUIRES: a reason that steps have.
Step step_of(const Edge& edge);

// Whether it is what clients did and saw, and nothing that follows from a rule.
bool is_plain(Reason reason);

// "1 and 2", "1 to 4", "1, 3 and 4". REQUIRES: ascending, not empty.
std::string numbers_text(std::span<const std::size_t> numbers);

}  // namespace awdit
