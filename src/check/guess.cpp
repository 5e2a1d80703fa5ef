// Guesses at a commit order, besides the order of the input.
//
// A recording need not be in the order of time: some are written session after
// session, some line by line while transactions overlap. What they say besides
// may still tell: when transactions ended, or the ids that a recorder gave them
// one after the other.
#include <algorithm>
#include <span>
#include <utility>

#include "check/key_map.h"
#include "check/order.h"
#include "history/stamps.h"

namespace awdit {
namespace {

// The share of reads, among those of keys that were written before, that return
// something else than what was written last.
double surprise(const History& history, std::span<const std::uint32_t> order) {
  constexpr std::size_t kSample = std::size_t{1} << 15;  // operations
  struct Last {
    std::uint32_t txn;
    std::uint32_t op;
  };
  KeyMap<Last> last;
  last.reset(std::min<std::size_t>(kSample, history.num_ops()));
  std::size_t seen = 0;
  std::uint64_t expected = 0, surprising = 0;
  for (const std::uint32_t txn : order) {
    if (seen + history.ops(TxnId(txn)).size() > kSample) break;
    seen += history.ops(TxnId(txn)).size();
    for (const OpId op : history.ops(TxnId(txn))) {
      Last* const before = last.find(history.key(op).v);
      if (history.is_write(op)) {
        if (before == nullptr) {
          last.insert(history.key(op).v, {txn, op.v});
        } else {
          *before = {txn, op.v};
        }
      } else if (before != nullptr && before->txn != txn) {
        const bool same = history.value(op) == history.value(OpId(before->op));
        ++(same ? expected : surprising);
      }
    }
  }
  const std::uint64_t reads = expected + surprising;
  return reads == 0
             ? 0
             : static_cast<double>(surprising) / static_cast<double>(reads);
}

}  // namespace

std::vector<std::uint32_t> promising_order(const History& history,
                                           const Live& live) {
  const auto input = history.input_order();
  std::vector<std::uint32_t> best(input.begin(), input.end());
  std::erase_if(best, [&](std::uint32_t txn) { return !live[txn]; });
  // Anomalies surprise as well, but more than this would be unusual.
  constexpr double kUnusual = 0.01;
  double least = surprise(history, best);
  const auto by_times = [](const History& all, const Live& some) {
    return order_by_times(all, some.is);
  };
  for (const auto guess : {+by_times, order_by_ids}) {
    if (least < kUnusual) break;
    std::vector<std::uint32_t> order = guess(history, live);
    if (order.empty()) continue;
    const double now = surprise(history, order);
    if (now >= least) continue;
    least = now;
    best = std::move(order);
  }
  return best;
}

std::vector<std::uint32_t> order_by_ids(const History& history,
                                        const Live& live) {
  if (!history.has_ids()) return {};
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  for (const TxnId txn : history.txns()) {
    if (!live[txn.v]) continue;
    const auto id = history.txn_label(txn);
    if (!id) return {};
    low = std::min(low, *id);
    high = std::max(high, *id);
  }
  if (low > high) return {};
  const std::uint64_t range =
      static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  // Ids that number the transactions: each has its place.
  if (range / 4 <= history.num_txns()) {
    std::vector<std::uint32_t> place(range + 1, kNoId);
    bool shared = false;
    for (const TxnId txn : history.txns()) {
      if (!live[txn.v]) continue;
      std::uint32_t& mine =
          place[static_cast<std::uint64_t>(*history.txn_label(txn)) -
                static_cast<std::uint64_t>(low)];
      shared |= mine != kNoId;
      mine = txn.v;
    }
    if (!shared) {
      std::erase(place, kNoId);
      return if_sessions_agree(history, std::move(place));
    }
  }
  std::vector<Stamp> stamps;
  stamps.reserve(history.num_txns());
  for (const std::uint32_t txn : history.input_order()) {
    if (!live[txn]) continue;
    stamps.push_back({*history.txn_label(TxnId(txn)), 0, txn});
  }
  return order_by_stamps(history, stamps);
}

}  // namespace awdit
