#include "check/guess.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>

#include "check/key_map.h"

namespace awdit {
namespace {

struct Stamp {
  std::int64_t major, minor;
  std::uint32_t txn;
};

// Sorts, and looks whether the stamps of each session ascend.
std::vector<std::uint32_t> order_of(const History& history,
                                    std::vector<Stamp>& stamps) {
  const auto sessions = history.txn_sessions();
  std::stable_sort(
      stamps.begin(), stamps.end(), [](const Stamp& a, const Stamp& b) {
        return std::tie(a.major, a.minor) < std::tie(b.major, b.minor);
      });
  std::vector<std::uint32_t> last(history.num_sessions(), 0);
  std::vector<std::uint32_t> order;
  order.reserve(stamps.size());
  for (const Stamp& stamp : stamps) {
    std::uint32_t& before = last[sessions[stamp.txn]];
    if (before > stamp.txn) return {};
    before = stamp.txn;
    order.push_back(stamp.txn);
  }
  return order;
}

// The share of reads, among those of keys that were written before, that return
// something else than what was written last.
double surprise(const History& history, std::span<const std::uint32_t> order) {
  constexpr std::size_t kSample = std::size_t{1} << 17;  // operations
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
  std::vector<std::uint32_t> best;
  best.reserve(input.size());
  std::copy_if(input.begin(), input.end(), std::back_inserter(best),
               [&](std::uint32_t txn) { return live[txn]; });
  // Anomalies surprise as well; so many of them would be unusual.
  constexpr double kUnusual = 0.01;
  double least = surprise(history, best);
  for (const auto guess : {order_by_times, order_by_ids}) {
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

std::vector<std::uint32_t> order_by_times(const History& history,
                                          const Live& live) {
  if (history.clock() == Clock::none) return {};
  std::vector<Stamp> stamps;
  stamps.reserve(history.num_txns());
  for (const std::uint32_t txn : history.input_order()) {
    if (!live[txn]) continue;
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
  return order_of(history, stamps);
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
  const auto sessions = history.txn_sessions();
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
      std::vector<std::uint32_t> last(history.num_sessions(), 0);
      std::size_t kept = 0;
      for (const std::uint32_t txn : place) {
        if (txn == kNoId) continue;
        std::uint32_t& before = last[sessions[txn]];
        if (before > txn) return {};
        before = txn;
        place[kept++] = txn;
      }
      place.resize(kept);
      return place;
    }
  }
  std::vector<Stamp> stamps;
  stamps.reserve(history.num_txns());
  for (const std::uint32_t txn : history.input_order()) {
    if (!live[txn]) continue;
    stamps.push_back({*history.txn_label(TxnId(txn)), 0, txn});
  }
  return order_of(history, stamps);
}

}  // namespace awdit
