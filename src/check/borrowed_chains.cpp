#include "check/borrowed_chains.h"

#include <algorithm>
#include <atomic>

namespace awdit {
namespace {

// Chains that one session may have; more are hardly ever needed.
constexpr std::size_t kMostChains = 8;

// [txn] -> the rank before which it must have looked: that of the first one to
// overwrite something that it read, if that is lower than its own.
std::vector<std::uint32_t> find_deadlines(Index& index) {
  const auto ranks = index.ranks();
  std::vector<std::uint32_t> deadline(index.history().num_txns(), kNoId);
  if (!index.any_stale()) return deadline;
  index.make_events(index.stale_keys());
  std::vector<std::vector<std::uint32_t>> writers(index.threads());  // ranks
  index.for_each_key_with_events([&](unsigned worker, std::uint32_t,
                                     std::span<const Event> events) {
    std::vector<std::uint32_t>& mine = writers[worker];
    mine.clear();
    for (const Event& event : events) {
      if (event.is_write()) {
        mine.push_back(ranks[event.txn]);
      } else if (event.is_stale()) {
        // init, which is nobody's, has rank 0.
        const auto next = std::upper_bound(mine.begin(), mine.end(),
                                           ranks[event.read_from()]);
        if (next == mine.end()) continue;
        std::atomic_ref<std::uint32_t> least(deadline[event.txn]);
        std::uint32_t known = least.load(std::memory_order_relaxed);
        while (*next < known && !least.compare_exchange_weak(
                                    known, *next, std::memory_order_relaxed)) {
        }
      }
    }
  });
  return deadline;
}

// The rank that a transaction took effect at, at the earliest: its own if it
// wrote something, otherwise that of the latest that it read from.
std::uint32_t effect(const Index& index, std::uint32_t txn) {
  const History& history = index.history();
  const auto ranks = index.ranks();
  std::uint32_t latest = 0;
  for (const OpId op : history.ops(TxnId(txn))) {
    if (history.is_write(op)) return ranks[txn];
    const std::uint32_t source = index.sources()[op.v];
    if (is_external(source)) latest = std::max(latest, ranks[source]);
  }
  return latest;
}

}  // namespace

BorrowedChains borrow_chains(Index& index,
                             std::span<const std::uint32_t> txns) {
  const History& history = index.history();
  // [txn] -> its session; transactions of one stand together.
  std::vector<std::uint32_t> recorded(history.num_txns());
  std::uint32_t sessions = 0;
  for (std::uint32_t t = 0; t < history.num_txns(); ++t) {
    if (history.input_position(TxnId(t)) == 0) ++sessions;
    recorded[t] = sessions - 1;
  }
  struct Chain {
    std::uint32_t number;
    std::uint32_t reached;  // a rank
  };
  std::vector<std::vector<Chain>> of(sessions);
  const std::vector<std::uint32_t> deadline = find_deadlines(index);
  BorrowedChains chains;
  chains.of.reserve(txns.size());
  for (const std::uint32_t txn : txns) {
    std::vector<Chain>& mine = of[recorded[txn]];
    auto chain = std::find_if(mine.begin(), mine.end(), [&](const Chain& c) {
      return c.reached < deadline[txn];
    });
    if (chain == mine.end()) {
      if (mine.size() < kMostChains) mine.push_back({chains.count++, 0});
      chain = mine.end() - 1;
    }
    chain->reached = std::max(chain->reached, effect(index, txn));
    chains.of.push_back(chain->number);
  }
  return chains;
}

bool BorrowedChains::break_up(std::span<const std::uint32_t> core) {
  const std::uint32_t before = count;
  for (std::size_t i = 1; i < core.size(); ++i) {
    const auto shares = [&](std::uint32_t other) {
      return of[other] == of[core[i]];
    };
    if (std::any_of(core.begin(), core.begin() + std::ptrdiff_t(i), shares)) {
      of[core[i]] = count++;
    }
  }
  return count != before;
}

}  // namespace awdit
