// Idea: where nearly all reads return what was written last, the few others
// each say that somebody between whom they missed and themselves stands at the
// wrong place; outside of these stretches the order is serial as it is. What a
// stretch reads from before it is what was there when it began: an initial
// value; and who is read from behind it wrote the last version in it. So each
// is a small polygraph of its own, without the millions around. The whole is
// looked at once more in the end, so that a stretch that was cut too short does
// no harm. Cost: O(operations), and the search, which is bounded.
#include <algorithm>
#include <cstddef>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "check/dependencies.h"
#include "check/guessed_orders.h"
#include "check/rank_span.h"
#include "check/sources.h"

namespace awdit {
namespace {

// What somebody else replaced lies as near; further away nothing is tried.
constexpr std::uint32_t kNear = 4096;
// Transactions of a stretch, and the part of all that may be in one.
constexpr std::uint32_t kMostInOne = 1 << 15;
constexpr std::size_t kPart = 4;
constexpr std::uint64_t kConflicts = 1000;

std::vector<RankSpan> find_stretches(const Looks& looks) {
  std::vector<RankSpan> spans;
  for (const Look& look : looks.of) {
    // A chain that was too long ended at nobody in particular.
    const std::uint32_t first =
        look.missed != 0 ? look.missed
                         : look.reader - std::min(look.reader - 1, kNear);
    spans.push_back({first, look.reader});
  }
  for (const Overtaken& it : looks.overtaken) {
    if (it.source != 0 && it.writer - it.source <= kNear) {
      spans.push_back({it.source, it.reader});
    }
  }
  merge_spans(spans);
  return spans;
}

// Sessions as they were recorded, numbered from 0: they are tried.
std::vector<std::uint32_t> recorded_chains(
    const History& history, std::span<const std::uint32_t> txns) {
  std::vector<std::uint32_t> chains;
  if (history.session_order()) return chains;
  std::unordered_map<std::uint32_t, std::uint32_t> number;
  for (const std::uint32_t txn : txns) {
    const std::uint32_t first = txn - history.input_position(TxnId(txn));
    chains.push_back(
        number.try_emplace(first, static_cast<std::uint32_t>(number.size()))
            .first->second);
  }
  return chains;
}

// A version that somebody behind its stretch read. Ranks.
struct Kept {
  std::uint32_t writer;
  std::uint32_t key;
};

// Ascending. `order`: [rank - 1].
std::vector<Kept> find_kept(const Index& index,
                            std::span<const std::uint32_t> order,
                            std::span<const RankSpan> stretches) {
  // [txn] -> its rank and where its stretch ends; 0: it is in none
  std::vector<std::uint32_t> rank(index.history().num_txns() + 1, 0);
  std::vector<std::uint32_t> end(index.history().num_txns() + 1, 0);
  for (const RankSpan& it : stretches) {
    for (std::uint32_t r = it.first; r <= it.last; ++r) {
      rank[order[r - 1]] = r;
      end[order[r - 1]] = it.last;
    }
  }
  std::vector<Kept> kept;
  const auto sources = index.sources();
  for (std::uint32_t r = stretches.front().last; r < order.size(); ++r) {
    for (const OpId op : index.history().ops(TxnId(order[r]))) {
      const std::uint32_t source = sources[op.v];
      if (!is_external(source) || rank[source] == 0 || r < end[source])
        continue;
      kept.push_back({rank[source], index.history().key(op).v});
    }
  }
  const auto place = [](const Kept& it) { return std::tie(it.writer, it.key); };
  std::ranges::sort(kept, {}, place);
  kept.erase(std::unique(kept.begin(), kept.end(),
                         [&](const Kept& a, const Kept& b) {
                           return place(a) == place(b);
                         }),
             kept.end());
  return kept;
}

// In the polygraph of a stretch.
void put_last(const Kept& kept, std::uint32_t first, Polygraph& graph) {
  const auto name = std::ranges::lower_bound(graph.key_name, kept.key);
  const auto key = static_cast<std::uint32_t>(name - graph.key_name.begin());
  const std::uint32_t writer = kept.writer - first;
  const std::uint32_t newest = graph.version_of(writer, key);
  for (std::uint32_t v = graph.key_first[key]; v < graph.key_first[key + 1];
       ++v) {
    if (v != newest) graph.known.push_back({v, newest, writer});
  }
}

}  // namespace

std::optional<std::vector<std::uint32_t>> solve_stretches(
    const Index& index, std::span<const std::uint32_t> order,
    const Looks& looks, bool real_time) {
  const std::vector<RankSpan> stretches = find_stretches(looks);
  std::size_t inside = 0;
  for (const RankSpan& it : stretches) {
    const std::uint32_t size = it.last - it.first + 1;
    if (size > kMostInOne) return std::nullopt;
    inside += size;
  }
  if (inside > order.size() / kPart + 64) return std::nullopt;
  const std::vector<Kept> kept = find_kept(index, order, stretches);
  auto next = kept.begin();
  std::vector<std::uint32_t> better(order.begin(), order.end());
  for (const RankSpan& it : stretches) {
    const auto txns = order.subspan(it.first - 1, it.last - it.first + 1);
    const std::vector<std::uint32_t> chains =
        recorded_chains(index.history(), txns);
    Polygraph graph = make_polygraph(index, txns, chains, Outside::initial);
    for (; next != kept.end() && next->writer <= it.last; ++next) {
      put_last(*next, it.first, graph);
    }
    const Solution solution =
        solve(graph, {Forbidden::all, real_time},
              {.budget = &index.budget(), .conflicts = kConflicts}, 1);
    index.budget().ask();
    if (solution.answer != Solution::Answer::order) return std::nullopt;
    for (std::size_t i = 0; i < txns.size(); ++i) {
      better[it.first - 1 + i] = txns[solution.order[i]];
    }
  }
  const Outlook now = index.outlook(better);
  if (now.stale.any || now.stale.found.disordered ||
      !versions_ascend(index.versions(), now.order.ranks.span())) {
    return std::nullopt;
  }
  return better;
}

}  // namespace awdit
