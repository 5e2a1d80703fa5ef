// Why an edge must be so, in the words of databases: who read what from whom,
// and who follows whom. Long chains of dependence are cut in the middle; the
// certificate has them in full.
#include <fmt/format.h>

#include <algorithm>

#include "tell/proof.h"
#include "witness/phrases.h"

namespace awdit {
namespace {

// Transactions whose unknown outcome is told before the rest is left out.
constexpr std::size_t kMentioned = 9;

std::string describe_inferred(const History& history, const Level& level,
                              const Edge& edge) {
  std::string text;
  if (edge.seen.size() == 1) {
    text = describe_step(history, edge.seen.front());
  } else {
    text = fmt::format("{} depends on {}: {}", history.txn_name(edge.reader),
                       history.txn_name(edge.from),
                       describe_path(history, edge.seen));
  }
  return text + ". " + describe_rule(history, level, edge);
}

// The transactions an edge speaks of, each once.
std::vector<TxnId> mentioned(const History& history, const Edge& edge) {
  std::vector<TxnId> txns = {edge.from, edge.to};
  if (edge.reason == Reason::inferred) txns.push_back(edge.reader);
  if (edge.reason == Reason::anti_dependency && edge.write.valid()) {
    txns.push_back(history.txn_of(edge.write));
  }
  for (const Step& step : edge.seen) txns.push_back(step.from);
  std::vector<TxnId> once;
  for (const TxnId txn : txns) {
    if (once.size() >= kMentioned) break;
    if (std::ranges::find(once, txn) == once.end()) {
      once.push_back(txn);
    }
  }
  return once;
}

}  // namespace

std::string explain(const History& history, const Step& step) {
  const TxnId txns[] = {step.from, step.to};
  return describe_step(history, step) + "." + describe_unknown(history, txns);
}

std::string explain(const History& history, const Level& level,
                    const Edge& edge) {
  const std::string text = edge.reason == Reason::inferred
                               ? describe_inferred(history, level, edge)
                               : describe_dependency(history, edge) + ".";
  return text + describe_unknown(history, mentioned(history, edge));
}

}  // namespace awdit
