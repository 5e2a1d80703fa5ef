// The proof that some transactions have no order of versions without a
// forbidden cycle: for the evidence of violations. Private to check/.
//
// Natural deduction on a handful of transactions: of every two writers of a key
// it is tried whether "newer before older" closes a forbidden cycle; if so, the
// opposite is a lemma, and its dependencies are added. Sooner or later there is
// a cycle without any assumption. Where no single assumption is refuted, one is
// made and refuted by a proof of its own (Lemma::under). Of all lemmas those
// that the last cycle needs are kept.
//
// Shares no inference with src/polygraph on purpose: there clocks over chains
// decide a million transactions, here plain searches explain ten. What the
// engine refutes and this cannot would be a defect of one of them.
// Cost: O(pairs of writers * transactions^2) per round, within the budget of
// the index.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "check/check.h"
#include "check/index.h"
#include "check/op_finder.h"

namespace awdit {

// Of these live transactions, ascending in rank, with the reads among them. The
// level must be above causal. Empty: they do have an order, or the proof would
// suppose more than kDeepestLemma things one within the other.
std::optional<Violation> prove_violation(const Index& index, OpFinder& finder,
                                         const Level& level,
                                         std::span<const std::uint32_t> txns);

}  // namespace awdit
