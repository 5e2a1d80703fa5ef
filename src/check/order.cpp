// Idea: take the transactions in the present order; before one is put out, put
// out what it depends on. That is a depth-first search with an explicit stack,
// and it leaves what is nearly in order nearly as it is.
#include "check/order.h"

#include "base/number_lists.h"

namespace awdit {

Order order_of(const History& history, const Live& live,
               std::span<const std::uint32_t> walk) {
  const std::uint32_t txns = history.num_txns();
  std::uint32_t count = 0;
  for (const std::uint8_t is_live : live.is) count += is_live;
  Order order{Array<std::uint32_t>(count + 1),
              Array<std::uint32_t>(txns + 1, kNoId)};
  order.txns[0] = txns;
  order.ranks[txns] = 0;
  std::uint32_t rank = 1;
  for (const std::uint32_t txn : walk) {
    if (!live[txn]) continue;
    order.ranks[txn] = rank;
    order.txns[rank++] = txn;
  }
  return order;
}

std::vector<std::uint32_t> topological_order(
    const History& history, const Order& present,
    std::span<const std::uint32_t> previous,
    std::span<const std::uint32_t> sources, const ListVersions& versions,
    std::span<const RankSpan> within) {
  const auto txn_ops = history.txn_ops();
  const std::uint32_t txns = history.num_txns();
  enum : std::uint8_t { kNew, kOpen, kDone };
  // Elsewhere everybody comes after those they depend on already.
  std::vector<std::uint8_t> state(txns, kDone);
  for (const RankSpan& span : within) {
    for (std::uint32_t rank = span.first; rank <= span.last; ++rank) {
      state[present.txns[rank]] = kNew;
    }
  }
  struct Frame {
    std::uint32_t txn;
    std::uint32_t op;         // next operation to look at
    std::uint32_t older = 0;  // next transaction whose versions are older
  };
  // [txn] -> who must come before it because of its versions
  const NumberLists older(txns, [&](auto&& add) {
    versions.for_each_pair([&](std::uint32_t first, std::uint32_t second,
                               std::uint32_t) { add(second, first); });
  });
  std::vector<Frame> stack;
  std::vector<std::uint32_t> order;
  order.reserve(txns);

  const auto visit = [&](std::uint32_t root) {
    if (state[root] != kNew) return true;
    state[root] = kOpen;
    stack.push_back({root, kNoId, 0});
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const std::uint32_t txn = frame.txn;
      std::uint32_t wanted = kNoId;
      if (frame.op == kNoId) {  // the session's predecessor comes first
        frame.op = txn_ops[txn].begin;
        wanted = previous[txn];
      } else if (frame.op < txn_ops[txn].end) {
        const std::uint32_t source = sources[frame.op++];
        if (source < txns) wanted = source;
      } else if (frame.older < older[txn].size()) {
        wanted = older[txn][frame.older++];
      } else {
        state[txn] = kDone;
        order.push_back(txn);
        stack.pop_back();
        continue;
      }
      if (wanted == kNoId || state[wanted] == kDone) continue;
      if (state[wanted] == kOpen) return false;
      state[wanted] = kOpen;
      stack.push_back({wanted, kNoId, 0});
    }
    return true;
  };
  const auto all = present.txns.span();
  std::uint32_t next = 1;  // behind init
  for (const RankSpan& span : within) {
    order.insert(order.end(), all.begin() + next, all.begin() + span.first);
    for (next = span.first; next <= span.last; ++next) {
      if (!visit(all[next])) return {};
    }
  }
  order.insert(order.end(), all.begin() + next, all.end());
  return order;
}

}  // namespace awdit
