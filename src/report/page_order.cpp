#include "report/page_order.h"

#include <algorithm>
#include <tuple>

#include "tell/tell.h"

namespace awdit {
namespace {

using Priority = std::tuple<std::int64_t, std::int64_t, std::uint32_t>;

Priority priority(const History& history, TxnId txn, bool by_time) {
  const IdRange<OpId> ops = history.ops(txn);
  if (!by_time) return {0, 0, ops.first};
  const auto ticks = history.ticks(txn);
  return {shown_times(history, txn)->begin, ticks ? ticks->begin : 0,
          ops.first};
}

}  // namespace

PageOrder page_order(const History& history, std::span<const TxnId> shown,
                     std::span<const Arrow> arrows) {
  PageOrder result;
  result.by_time = std::ranges::all_of(shown, [&](TxnId txn) {
    if (history.is_init(txn)) return true;
    const auto times = history.times(txn);
    // Clocks that nothing relates have no common order.
    const TxnId one = *std::ranges::find_if(
        shown, [&](TxnId other) { return !history.is_init(other); });
    return times && times->begin != kNoTime &&
           history.clock_domains().related(history.clock_domain(one),
                                           history.clock_domain(txn));
  });
  std::vector<TxnId> left(shown.begin(), shown.end());
  const auto first = [&](TxnId a, TxnId b) {
    if (history.is_init(a) || history.is_init(b)) return history.is_init(a);
    return priority(history, a, result.by_time) <
           priority(history, b, result.by_time);
  };
  std::ranges::sort(left, first);
  const std::size_t n = left.size();
  // Whether i must stand right of j because of its session.
  const auto follows = [&](std::size_t i, std::size_t j) {
    return !history.is_init(left[i]) && !history.is_init(left[j]) &&
           history.session(left[i]) == history.session(left[j]) &&
           left[j] < left[i];
  };
  std::vector<bool> reads(n * n);  // [i * n + j]: because it read from j
  const auto place = [&](TxnId txn) {
    return static_cast<std::size_t>(std::ranges::find(left, txn) -
                                    left.begin());
  };
  for (const Arrow& arrow : arrows) {
    if (arrow.kind != Arrow::Kind::read || arrow.from == arrow.to) continue;
    if (!result.by_time && !history.is_init(arrow.from)) {
      reads[place(arrow.to) * n + place(arrow.from)] = true;
    }
  }
  std::vector<bool> placed(n);
  const auto free = [&](std::size_t i, bool heed_reads) {
    if (placed[i]) return false;
    for (std::size_t j = 0; j < n; ++j) {
      if (placed[j]) continue;
      if (follows(i, j) || (heed_reads && reads[i * n + j])) return false;
    }
    return true;
  };
  while (result.txns.size() != n) {
    std::size_t next = n;
    // A circle of reads: the first one whose session allows it.
    for (const bool heed_reads : {true, false}) {
      for (std::size_t i = 0; i < n && next == n; ++i) {
        if (free(i, heed_reads)) next = i;
      }
    }
    placed[next] = true;
    result.txns.push_back(left[next]);
  }
  return result;
}

}  // namespace awdit
