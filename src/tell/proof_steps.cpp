#include "tell/proof_steps.h"

#include <fmt/format.h>

#include "base/counted.h"
#include "tell/phrases.h"

namespace awdit {
namespace {

// Transactions whose unknown outcome a step tells before it stops.
constexpr std::size_t kMentioned = 9;
// Such transactions in the whole proof, before it stops telling.
constexpr std::size_t kRemembered = 64;
// Numbers told one by one.
constexpr std::size_t kNumbers = 8;

}  // namespace

ProofStep& ProofTeller::add_step(TxnId from, TxnId to) {
  ProofStep& step = proof_.steps.emplace_back();
  step.from = from;
  step.to = to;
  return step;
}

ProofStep& ProofTeller::add_run(std::vector<Step> run, std::string claim,
                                bool needs_reason) {
  ProofStep& step = add_step(run.front().from, run.back().to);
  step.claim = std::move(claim);
  if (needs_reason) {
    step.reason = describe_path(history_, run) + "." + unknown_of(run);
  }
  add_ops(step, run);
  step.path = std::move(run);
  return step;
}

std::string ProofTeller::unknown_of(std::span<const Step> steps) {
  if (!history_.has_unknown()) return "";
  std::vector<TxnId> txns;
  for (const Step& step : steps) {
    txns.push_back(step.from);
    txns.push_back(step.to);
  }
  return unknown_of(txns);
}

std::string ProofTeller::unknown_of(std::span<const TxnId> txns) {
  if (!history_.has_unknown() || told_.size() >= kRemembered) return "";
  std::vector<TxnId> fresh;
  for (const TxnId txn : txns) {
    if (fresh.size() >= kMentioned) break;
    if (std::ranges::find(told_, txn) != told_.end()) continue;
    if (history_.is_init(txn) || history_.status(txn) != Status::unknown) {
      continue;
    }
    told_.push_back(txn);
    fresh.push_back(txn);
  }
  return describe_unknown(history_, fresh);
}

void ProofTeller::add_op(ProofStep& step, OpId op) {
  if (op.valid() && std::ranges::find(step.ops, op) == step.ops.end()) {
    step.ops.push_back(op);
  }
}

void ProofTeller::add_ops(ProofStep& step, std::span<const Step> path) {
  for (const Step& part : path) {
    if (part.reason != Reason::reads_from) continue;
    if (part.write.valid()) step.ops.push_back(part.write);
    step.ops.push_back(part.read);
  }
}

std::string before(const History& history, TxnId from, TxnId to) {
  if (history.is_init(from)) {
    return fmt::format("{} comes after the initial state",
                       history.txn_name(to));
  }
  if (history.is_init(to)) {
    return fmt::format("{} comes before the initial state",
                       history.txn_name(from));
  }
  return fmt::format("{} comes before {}", history.txn_name(from),
                     history.txn_name(to));
}

bool is_plain(Reason reason) {
  return reason == Reason::session_order || reason == Reason::reads_from ||
         reason == Reason::real_time;
}

std::size_t start_of(std::span<const Edge> edges) {
  std::size_t start = edges.size();
  while (start != 0 && is_plain(edges[start - 1].reason)) --start;
  return start;
}

std::string numbers_text(std::span<const std::size_t> numbers) {
  const std::size_t n = numbers.size();
  const bool in_a_row = numbers.back() - numbers.front() + 1 == n;
  if (n > kNumbers || (n > 2 && in_a_row)) {
    return fmt::format("{} to {}", numbers.front(), numbers.back());
  }
  std::vector<std::string> names;
  for (const std::size_t number : numbers) {
    names.push_back(fmt::format("{}", number));
  }
  return listed(names);
}

}  // namespace awdit
