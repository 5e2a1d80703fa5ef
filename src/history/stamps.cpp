#include "history/stamps.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace awdit {

std::vector<std::uint32_t> if_sessions_agree(const History& history,
                                             std::vector<std::uint32_t> order) {
  const auto sessions = history.txn_sessions();
  std::vector<std::uint32_t> last(history.num_sessions(), 0);
  for (const std::uint32_t txn : order) {
    std::uint32_t& before = last[sessions[txn]];
    if (before > txn) return {};
    before = txn;
  }
  return order;
}

std::vector<std::uint32_t> order_by_stamps(const History& history,
                                           std::vector<Stamp>& stamps) {
  std::ranges::stable_sort(
      stamps, {}, [](const Stamp& it) { return std::tie(it.major, it.minor); });
  std::vector<std::uint32_t> order;
  order.reserve(stamps.size());
  for (const Stamp& stamp : stamps) order.push_back(stamp.txn);
  return if_sessions_agree(history, std::move(order));
}

std::vector<std::uint32_t> order_by_times(const History& history,
                                          std::span<const std::uint8_t> kept) {
  if (history.clock() == Clock::none) return {};
  std::vector<Stamp> stamps;
  stamps.reserve(history.num_txns());
  for (const std::uint32_t txn : history.input_order()) {
    if (kept[txn] == 0) continue;
    const auto times = history.times(TxnId(txn));
    if (!times || times->end == kNoTime) return {};
    const auto ticks = history.ticks(TxnId(txn));
    // Across clocks a guess; what it must contain is looked at by others.
    const std::int64_t shift =
        history.clock_domains().shift(history.clock_domain(TxnId(txn)));
    std::int64_t end = 0;
    if (__builtin_add_overflow(times->end, shift, &end)) return {};
    stamps.push_back({end, ticks ? ticks->end : 0, txn});
  }
  return order_by_stamps(history, stamps);
}

}  // namespace awdit
