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

// `node`: [txn] -> its number in the tangle that it is in. `loses`: [txn].
bool stays_tangled(const Index& index, const Tangle& tangle,
                   std::span<const Left> left,
                   std::span<const std::uint32_t> node,
                   const std::vector<bool>& loses) {
  const History& history = index.history();
  std::vector<Arc> arcs;
  for (const Tangle::Arc& arc : tangle.arcs) {
    if (arc.reader != kNoId && loses[arc.reader]) continue;
    arcs.push_back({node[arc.from], node[arc.to], 0});
  }
  if (left.size() * tangle.txns.size() > kMostPairs) return true;
  for (const Left& read : left) {
    for (const std::uint32_t from : tangle.txns) {
      if (from != read.source && from != history.init_txn().v &&
          index.write_sets().contains(history, from, read.key)) {
        arcs.push_back({node[from], node[read.source], 0});
      }
    }
  }
  const Csr graph(static_cast<std::uint32_t>(tangle.txns.size()), arcs);
  return !strong_components(graph).acyclic();
}

}  // namespace

bool stays_tangled(const Index& index, std::span<const Tangle> tangles,
                   std::span<const OpId> reads) {
  const History& history = index.history();
  const std::size_t txns = std::size_t{history.num_txns()} + 1;  // and init
  std::vector<std::uint32_t> readers;
  std::vector<bool> loses(txns, false);
  for (const OpId op : reads) {
    const std::uint32_t reader = history.txn_of(op).v;
    if (!loses[reader]) readers.push_back(reader);
    loses[reader] = true;
  }
  // [txn] -> the component that it is in, and its number there
  std::vector<std::uint32_t> tangle_of(txns, kNoId);
  std::vector<std::uint32_t> node(txns, kNoId);
  for (std::uint32_t i = 0; i < tangles.size(); ++i) {
    for (std::uint32_t n = 0; n < tangles[i].txns.size(); ++n) {
      tangle_of[tangles[i].txns[n]] = i;
      node[tangles[i].txns[n]] = n;
    }
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
    if (stays_tangled(index, tangles[i], left[i], node, loses)) return true;
  }
  return false;
}

}  // namespace awdit
