// What parameters make sense, in words.
#include <fmt/format.h>

#include "base/counted.h"
#include "generate/generate.h"
#include "generate/reductions.h"
#include "generate/serial_run.h"

namespace awdit {
namespace {

constexpr std::uint64_t kMostOperations = 4'000'000'000;
constexpr std::uint64_t kMostTransactions = 2'000'000'000;
constexpr std::uint32_t kMostSessions = 10'000'000;
constexpr std::uint32_t kMostKeys = 1'000'000'000;
constexpr std::uint32_t kMostTxnOps = 1'000'000'000;
constexpr std::uint32_t kMostListLength = 1'000'000;
constexpr std::uint32_t kFewestNodes = 3;
constexpr std::uint32_t kMostNodes = 10'000'000;
constexpr double kMostTheta = 10;

Error wrong(std::string message, std::string hint = "") {
  return {.message = std::move(message), .hint = std::move(hint)};
}

Outcome outside(std::string_view what, std::uint64_t value, std::uint64_t least,
                std::uint64_t most) {
  if (value >= least && value <= most) return std::nullopt;
  return wrong(fmt::format("{} must be from {} to {}; found {}", what,
                           grouped(least), grouped(most), grouped(value)));
}

Outcome no_share(std::string_view what, double value) {
  if (value >= 0 && value <= 1) return std::nullopt;
  return wrong(fmt::format("{} must be from 0 to 1; found {}", what, value));
}

Outcome invalid_distribution(const Distribution& distribution) {
  if (!(distribution.theta >= 0 && distribution.theta <= kMostTheta)) {
    return wrong(fmt::format("the skew of zipf must be from 0 to {}; found {}",
                             kMostTheta, distribution.theta));
  }
  if (Outcome no = no_share("the share of hot keys", distribution.hot_keys)) {
    return no;
  }
  return no_share("the share of accesses to hot keys",
                  distribution.hot_accesses);
}

Outcome invalid_planting(const Parameters& parameters, const Gadget& gadget) {
  const std::uint32_t sessions = sessions_of(gadget);
  if (parameters.sessions < sessions) {
    return wrong(fmt::format("{} needs {} sessions; found {}", gadget.name,
                             sessions, parameters.sessions));
  }
  if (needs_lists(gadget) && !parameters.lists) {
    return wrong(fmt::format("{} needs a history of lists", gadget.name));
  }
  return std::nullopt;
}

Outcome too_large(std::uint64_t operations) {
  if (operations <= kMostOperations) return std::nullopt;
  return wrong(
      fmt::format("that may be up to {} operations; a history has at most {}",
                  grouped(operations), grouped(kMostOperations)));
}

Outcome invalid_graph(const Reduction& reduction, const Graph& graph) {
  if (Outcome no = outside("the number of nodes", graph.nodes, kFewestNodes,
                           kMostNodes)) {
    return no;
  }
  const std::uint64_t most = most_edges(graph.nodes);
  if (graph.edges && *graph.edges > most) {
    return wrong(fmt::format(
        "a triangle-free graph of {} nodes has at most {} edges; found {}",
        grouped(graph.nodes), grouped(most), grouped(*graph.edges)));
  }
  return too_large(operations_of(reduction, graph));
}

}  // namespace

Outcome invalid(const Parameters& p) {
  if (p.reduction != nullptr) return invalid_graph(*p.reduction, p.graph);
  const Outcome outcomes[] = {
      outside("the number of sessions", p.sessions, 1, kMostSessions),
      outside("the number of transactions", p.transactions, 1,
              kMostTransactions),
      outside("the number of operations per transaction", p.min_txn_ops, 1,
              kMostTxnOps),
      outside("the number of operations per transaction", p.max_txn_ops, 1,
              kMostTxnOps),
      outside("the number of keys", p.keys, 1, kMostKeys),
      outside("the length of lists", p.list_length, 1, kMostListLength),
      no_share("the share of reads", p.reads),
      no_share("the share of aborted transactions", p.aborted),
      no_share("the share of transactions with unknown outcome", p.unknown),
      invalid_distribution(p.distribution),
  };
  for (const Outcome& outcome : outcomes) {
    if (outcome) return outcome;
  }
  if (p.min_txn_ops > p.max_txn_ops) {
    return wrong(fmt::format(
        "transactions have at least {} and at most {} operations: the first "
        "must not be the larger one",
        grouped(p.min_txn_ops), grouped(p.max_txn_ops)));
  }
  if (p.aborted + p.unknown > 1) {
    return wrong(fmt::format(
        "the shares of aborted transactions and of those with unknown outcome "
        "add up to {}, more than 1",
        p.aborted + p.unknown));
  }
  if (p.operations == 0 || p.operations > kMostOperations) {
    if (Outcome no = too_large(most_operations(p))) return no;
  }
  for (const Gadget* gadget : p.plant) {
    if (Outcome no = invalid_planting(p, *gadget)) return no;
  }
  return std::nullopt;
}

}  // namespace awdit
