// Idea: take the transactions in the present order; before one is put out, put
// out what it depends on. That is a depth-first search with an explicit stack,
// and it leaves what is nearly in order nearly as it is.
#include "check/order.h"

namespace awdit {

std::vector<std::uint32_t> topological_order(const Index& index) {
  const History& history = index.history();
  const auto sources = index.sources();
  const auto txn_ops = history.txn_ops();
  const std::uint32_t txns = history.num_txns();
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::vector<std::uint8_t> state(txns, kNew);
  struct Frame {
    std::uint32_t txn;
    std::uint32_t op;  // next operation to look at
  };
  std::vector<Frame> stack;
  std::vector<std::uint32_t> order;
  order.reserve(txns);

  for (const std::uint32_t root : index.order().subspan(1)) {  // without init
    if (state[root] != kNew) continue;
    state[root] = kOpen;
    stack.push_back({root, kNoId});
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const std::uint32_t txn = frame.txn;
      std::uint32_t wanted = kNoId;
      if (frame.op == kNoId) {  // the session's predecessor comes first
        frame.op = txn_ops[txn].begin;
        wanted = index.previous(txn);
      } else if (frame.op < txn_ops[txn].end) {
        const std::uint32_t source = sources[frame.op++];
        if (source < txns) wanted = source;
      } else {
        state[txn] = kDone;
        order.push_back(txn);
        stack.pop_back();
        continue;
      }
      if (wanted == kNoId || state[wanted] == kDone) continue;
      if (state[wanted] == kOpen) return {};
      state[wanted] = kOpen;
      stack.push_back({wanted, kNoId});
    }
  }
  return order;
}

}  // namespace awdit
