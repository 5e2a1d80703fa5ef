// Why an edge must be so, in the words of databases: who read what from whom,
// and who follows whom. Long chains of dependence are cut in the middle; the
// certificate has them in full.
#include <fmt/format.h>

#include <algorithm>

#include "witness/phrases.h"
#include "witness/witness.h"

namespace awdit {
namespace {

// Steps told one by one before a chain is cut.
constexpr std::size_t kSteps = 6;

std::string describe_path(const History& history, std::span<const Step> steps) {
  std::string text;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.size() > kSteps && i == kSteps - 1) {
      const std::size_t left_out = steps.size() - kSteps;
      text += fmt::format(", then {} more steps", left_out);
      i += left_out;
    }
    if (i != 0) text += i + 1 == steps.size() ? ", and " : ", ";
    text += describe_step(history, steps[i]);
  }
  return text;
}

std::string describe_inferred(const History& history, const Level& level,
                              const Edge& edge) {
  const std::string from = history.txn_name(edge.from);
  const std::string reader = history.txn_name(edge.reader);
  std::string text;
  if (edge.seen.size() == 1) {
    text = describe_step(history, edge.seen.front());
  } else {
    text = fmt::format("{} depends on {}: {}", reader, from,
                       describe_path(history, edge.seen));
  }
  // Only under this axiom does it matter which of the reads came first.
  const bool in_sequence = level.cycle == Kind::non_monotonic_read;
  text += fmt::format(". {}{}, yet {} also {}. ", in_sequence ? "Later " : "",
                      describe_read(history, edge.read, edge.to), from,
                      wrote(history, edge.other_write));
  if (history.is_init(edge.to)) {
    text += fmt::format(
        "Under {} that is allowed only if {} comes before the initial state.",
        level.title, from);
  } else {
    const std::string to = history.txn_name(edge.to);
    text += fmt::format(
        "Under {} {} must then be the newer of the two: {} comes before {}.",
        level.title, to, from, to);
  }
  return text;
}

// The transactions an edge speaks of, each once.
std::vector<TxnId> mentioned(const Edge& edge) {
  std::vector<TxnId> txns = {edge.from, edge.to};
  if (edge.reason == Reason::inferred) txns.push_back(edge.reader);
  for (const Step& step : edge.seen) txns.push_back(step.from);
  std::vector<TxnId> once;
  for (const TxnId txn : txns) {
    if (once.size() >= kSteps + 3) break;
    if (std::find(once.begin(), once.end(), txn) == once.end()) {
      once.push_back(txn);
    }
  }
  return once;
}

}  // namespace

std::string explain(const History& history, const Level& level,
                    const Edge& edge) {
  std::string text;
  if (edge.reason == Reason::inferred) {
    text = describe_inferred(history, level, edge);
  } else {
    text = describe_step(history, {edge.from, edge.to, edge.reason, edge.write,
                                   edge.read}) +
           ".";
  }
  if (!history.has_unknown()) return text;
  for (const TxnId txn : mentioned(edge)) {
    if (history.is_init(txn) || history.status(txn) != Status::unknown) {
      continue;
    }
    text += fmt::format(
        " The outcome of {} is unknown; it counts as committed because it was "
        "read from.",
        history.txn_name(txn));
  }
  return text;
}

}  // namespace awdit
