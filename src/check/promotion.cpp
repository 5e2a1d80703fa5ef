#include "check/promotion.h"

#include <algorithm>
#include <tuple>

namespace awdit {

Live committed_only(const History& history) {
  Live live;
  live.is = Array<std::uint8_t>(history.num_txns());
  for (const TxnId txn : history.txns()) {
    const Status status = history.status(txn);
    live.is[txn.v] = status == Status::committed ? 1 : 0;
    live.dropped += status == Status::unknown ? 1 : 0;
  }
  return live;
}

Array<std::uint32_t> previous_live(const History& history, const Live& live) {
  Array<std::uint32_t> previous(history.num_txns(), kNoId);
  for (const SessionId session : history.sessions()) {
    std::uint32_t last = kNoId;
    for (const TxnId txn : history.txns(session)) {
      previous[txn.v] = last;
      if (live[txn.v]) last = txn.v;
    }
  }
  return previous;
}

Array<std::uint32_t> previous_recorded(const History& history, const Live& live,
                                       std::span<const std::uint32_t> ranks) {
  Array<std::uint32_t> previous(history.num_txns(), kNoId);
  std::uint32_t last = kNoId;
  for (const TxnId txn : history.txns()) {
    if (history.input_position(txn) == 0) last = kNoId;
    if (!live[txn.v]) continue;
    if (last != kNoId && ranks[last] < ranks[txn.v]) previous[txn.v] = last;
    last = txn.v;
  }
  return previous;
}

Live promote(const History& history,
             std::vector<std::pair<std::uint32_t, std::uint32_t>> reads) {
  Live live = committed_only(history);
  std::ranges::sort(reads);
  std::vector<std::uint32_t> work;  // readers that count
  for (const auto& [reader, writer] : reads) {
    if (live[reader] && (work.empty() || work.back() != reader)) {
      work.push_back(reader);
    }
  }
  while (!work.empty()) {
    const std::uint32_t reader = work.back();
    work.pop_back();
    auto at =
        std::ranges::lower_bound(reads, std::pair(reader, std::uint32_t{0}));
    for (; at != reads.end() && at->first == reader; ++at) {
      if (live[at->second]) continue;
      live.is[at->second] = 1;
      live.promoted.push_back(TxnId(at->second));
      work.push_back(at->second);
    }
  }
  std::ranges::sort(live.promoted);
  live.dropped -= static_cast<std::uint32_t>(live.promoted.size());
  return live;
}

std::optional<EqualWrites> find_live(const History& history, const Live& live,
                                     const std::vector<EqualWrites>& suspects) {
  struct Write {
    std::uint32_t key;
    Atom value;
    std::uint32_t op;
  };
  std::vector<Write> writes;
  for (const EqualWrites& pair : suspects) {
    for (const std::uint32_t op : {pair.first, pair.second}) {
      if (live[history.txn_of(OpId(op)).v]) {
        writes.push_back(
            {history.key(OpId(op)).v, history.value(OpId(op)), op});
      }
    }
  }
  const auto line = [&](std::uint32_t op) {
    return std::pair(history.place(OpId(op)).line, op);
  };
  std::ranges::sort(writes, {}, [&](const Write& it) {
    return std::tuple(it.key, it.value, line(it.op));
  });
  std::optional<EqualWrites> found;
  for (std::size_t i = 1; i < writes.size(); ++i) {
    const Write& a = writes[i - 1];
    const Write& b = writes[i];
    if (a.key != b.key || !(a.value == b.value) || a.op == b.op) continue;
    if (!found || line(b.op) < line(found->second)) found = {a.op, b.op};
  }
  return found;
}

}  // namespace awdit
