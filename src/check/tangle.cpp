// Whether a cyclic component can still have a cycle when reads are left out.
//
// Idea: be generous. So and wr stay as they were, and so do the inferences of
// all readers that keep their reads; one that loses some is taken to have seen
// everybody. If not even that has a cycle, there is none, and nobody needs to
// infer anything again. Cost: the arcs of the component, and for each reader
// that loses a read its reads times the component.
#include <algorithm>

#include "base/make_set.h"
#include "check/ladder.h"
#include "graph/csr.h"
#include "graph/scc.h"

namespace awdit {
namespace {

// Pairs of a read and a transaction that are looked at; if there are more, the
// level had better be decided again.
constexpr std::size_t kMostPairs = 1u << 20;

// A read that is left of a reader that loses others, of what one of the
// component wrote.
struct Left {
  std::uint32_t source, key;
};

bool stays_tangled(const Index& index, const Tangle& tangle,
                   std::span<const Left> left,
                   std::span<const std::uint32_t> readers) {
  const History& history = index.history();
  std::vector<std::uint32_t> txns = tangle.txns;
  std::ranges::sort(txns);
  const auto node = [&](std::uint32_t txn) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(txns, txn) -
                                      txns.begin());
  };
  std::vector<Arc> arcs;
  for (const Tangle::Arc& arc : tangle.arcs) {
    if (arc.reader != kNoId &&
        std::ranges::binary_search(readers, arc.reader)) {
      continue;
    }
    arcs.push_back({node(arc.from), node(arc.to), 0});
  }
  if (left.size() * txns.size() > kMostPairs) return true;
  for (const Left& read : left) {
    const std::uint32_t to = node(read.source);
    for (std::uint32_t from = 0; from < txns.size(); ++from) {
      if (from != to && txns[from] != history.init_txn().v &&
          index.write_sets().contains(history, txns[from], read.key)) {
        arcs.push_back({from, to, 0});
      }
    }
  }
  const Csr graph(static_cast<std::uint32_t>(txns.size()), arcs);
  return !strong_components(graph).acyclic();
}

}  // namespace

bool stays_tangled(const Index& index, std::span<const Tangle> tangles,
                   std::span<const OpId> reads) {
  const History& history = index.history();
  std::vector<std::uint32_t> readers;
  for (const OpId op : reads) readers.push_back(history.txn_of(op).v);
  make_set(readers);
  // [txn] -> the component that it is in
  std::vector<std::uint32_t> tangle_of(std::size_t{history.num_txns()} + 1,
                                       kNoId);
  for (std::uint32_t i = 0; i < tangles.size(); ++i) {
    for (const std::uint32_t txn : tangles[i].txns) tangle_of[txn] = i;
  }
  std::vector<std::vector<Left>> left(tangles.size());
  for (const std::uint32_t reader : readers) {
    for (const OpId op : history.ops(TxnId(reader))) {
      const std::uint32_t source = index.sources()[op.v];
      if (!is_external(source) || tangle_of[source] == kNoId ||
          std::ranges::binary_search(reads, op)) {
        continue;
      }
      left[tangle_of[source]].push_back({source, history.key(op).v});
    }
  }
  for (std::size_t i = 0; i < tangles.size(); ++i) {
    if (stays_tangled(index, tangles[i], left[i], readers)) return true;
  }
  return false;
}

}  // namespace awdit
