// What every telling of a proof does: it adds steps, notes the operations they
// rest on, and says of each transaction of unknown outcome, where it is first
// met, why it counts. Private to src/tell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "history/history.h"
#include "tell/proof.h"
#include "theory/theory.h"

namespace awdit {

class ProofTeller {
 protected:
  ProofTeller(const History& history, const Level& level)
      : history_(history), level_(level) {}

  ProofStep& add_step(TxnId from = TxnId(), TxnId to = TxnId());
  // The number of the last step, from 1.
  std::size_t number() const { return proof_.steps.size(); }

  // Tells a cycle from edges[start] on: what clients did and saw as runs,
  // add_run(run) each, whatever else there is as add_derived(edge). A circle of
  // such steps alone is told one by one.
  template <typename AddRun, typename AddDerived>
  void tell_runs(std::span<const Edge> edges, std::size_t start,
                 AddRun&& add_run, AddDerived&& add_derived);
  // That the last of the run comes after the first, with its reason.
  ProofStep& add_run(std::vector<Step> run, std::string claim,
                     bool needs_reason);

  // A blank and a sentence for each that was not met before.
  std::string unknown_of(std::span<const Step> steps);
  std::string unknown_of(std::span<const TxnId> txns);

  static void add_op(ProofStep& step, OpId op);
  static void add_ops(ProofStep& step, std::span<const Step> path);

  const History& history_;
  const Level& level_;
  Proof proof_;

 private:
  std::vector<TxnId> told_;
};

// Proofs by circles of dependencies: dependency_proof.cpp. REQUIRES: such a
// cycle, above causal.
Proof dependency_proof(const History& history, const Level& level,
                       const Violation& violation);

// "t4 comes before t6"
std::string before(const History& history, TxnId from, TxnId to);

// Whether it is what clients did and saw, and nothing that follows from a rule.
bool is_plain(Reason reason);

// Where a circle is begun to be told: behind the last edge that is not plain.
std::size_t start_of(std::span<const Edge> edges);

// "1 and 2", "1 to 4", "1, 3 and 4". REQUIRES: ascending, not empty.
std::string numbers_text(std::span<const std::size_t> numbers);

template <typename AddRun, typename AddDerived>
void ProofTeller::tell_runs(std::span<const Edge> edges, std::size_t start,
                            AddRun&& add_run, AddDerived&& add_derived) {
  std::vector<Step> run;
  const auto end_run = [&] {
    if (!run.empty()) add_run(std::exchange(run, {}));
  };
  const bool all_plain = std::ranges::all_of(
      edges, [](const Edge& edge) { return is_plain(edge.reason); });
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[(start + i) % edges.size()];
    if (is_plain(edge.reason)) {
      run.push_back(step_of(edge));
      if (all_plain) end_run();
    } else {
      end_run();
      add_derived(edge);
    }
  }
  end_run();
}

}  // namespace awdit
