#include "check/tangle.h"

#include <algorithm>

#include "graph/csr.h"
#include "graph/scc.h"

namespace awdit {
namespace {

// Pairs of a read and a transaction that are looked at; if there are more, the
// level had better be decided again.
constexpr std::size_t kMostPairs = 1u << 20;

bool stays_tangled(const Index& index, const Tangle& tangle,
                   std::span<const OpId> reads,
                   std::span<const std::uint32_t> readers) {
  const History& history = index.history();
  std::vector<std::uint32_t> txns = tangle.txns;
  std::sort(txns.begin(), txns.end());
  const auto node = [&](std::uint32_t txn) {
    const auto at = std::lower_bound(txns.begin(), txns.end(), txn);
    return at != txns.end() && *at == txn
               ? static_cast<std::uint32_t>(at - txns.begin())
               : kNoId;
  };
  std::vector<Arc> arcs;
  for (const Tangle::Arc& arc : tangle.arcs) {
    if (arc.reader != kNoId &&
        std::binary_search(readers.begin(), readers.end(), arc.reader)) {
      continue;
    }
    arcs.push_back({node(arc.from), node(arc.to), 0});
  }
  std::size_t pairs = 0;
  for (const std::uint32_t reader : readers) {
    for (const OpId op : history.ops(TxnId(reader))) {
      const std::uint32_t source = index.sources()[op.v];
      if (!is_external(source) ||
          std::binary_search(reads.begin(), reads.end(), op)) {
        continue;
      }
      const std::uint32_t to = node(source);
      if (to == kNoId) continue;
      if ((pairs += txns.size()) > kMostPairs) return true;
      for (std::uint32_t from = 0; from < txns.size(); ++from) {
        if (from != to && txns[from] != history.init_txn().v &&
            index.write_sets().contains(history, txns[from],
                                        history.key(op).v)) {
          arcs.push_back({from, to, 0});
        }
      }
    }
  }
  const Csr graph(static_cast<std::uint32_t>(txns.size()), arcs);
  return !strong_components(graph).acyclic();
}

}  // namespace

bool stays_tangled(const Index& index, std::span<const Tangle> tangles,
                   std::span<const OpId> reads) {
  std::vector<std::uint32_t> readers;
  for (const OpId op : reads) {
    readers.push_back(index.history().txn_of(op).v);
  }
  std::sort(readers.begin(), readers.end());
  readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
  return std::any_of(tangles.begin(), tangles.end(), [&](const Tangle& tangle) {
    return stays_tangled(index, tangle, reads, readers);
  });
}

}  // namespace awdit
