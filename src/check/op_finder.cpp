#include "check/op_finder.h"

#include <algorithm>

namespace awdit {
namespace {

constexpr std::uint32_t kShort = 64;

}  // namespace

const OpFinder::Sorted* OpFinder::sorted(std::uint32_t txn) {
  const History& history = index_.history();
  if (history.ops(TxnId(txn)).size() <= kShort) return nullptr;
  const auto [place, is_new] = large_.try_emplace(txn);
  Sorted& entry = place->second;
  if (!is_new) return &entry;
  for (const OpId op : history.ops(TxnId(txn))) {
    entry.by_key.push_back({history.key(op).v, op.v});
    if (is_external(index_.sources()[op.v])) {
      entry.by_source.push_back({index_.sources()[op.v], op.v});
    }
  }
  const auto less = [](const Entry& a, const Entry& b) {
    return std::pair(a.what, a.op) < std::pair(b.what, b.op);
  };
  std::sort(entry.by_key.begin(), entry.by_key.end(), less);
  std::sort(entry.by_source.begin(), entry.by_source.end(), less);
  return &entry;
}

OpId OpFinder::read(std::uint32_t txn, std::uint32_t key, std::uint32_t source,
                    OpId after) {
  const auto sources = index_.sources();
  const auto fits = [&](std::uint32_t op) {
    return sources[op] == source && (!after.valid() || op > after.v);
  };
  if (const Sorted* large = sorted(txn)) {
    auto at = std::partition_point(
        large->by_key.begin(), large->by_key.end(),
        [&](const Entry& entry) { return entry.what < key; });
    for (; at != large->by_key.end() && at->what == key; ++at) {
      if (fits(at->op)) return OpId(at->op);
    }
    return OpId();
  }
  for (const OpId op : index_.history().ops(TxnId(txn))) {
    if (fits(op.v) && index_.history().key(op).v == key) return op;
  }
  return OpId();
}

OpId OpFinder::read_from(std::uint32_t txn, std::uint32_t source) {
  if (const Sorted* large = sorted(txn)) {
    const auto at = std::partition_point(
        large->by_source.begin(), large->by_source.end(),
        [&](const Entry& entry) { return entry.what < source; });
    const bool found = at != large->by_source.end() && at->what == source;
    return found ? OpId(at->op) : OpId();
  }
  for (const OpId op : index_.history().ops(TxnId(txn))) {
    if (index_.sources()[op.v] == source) return op;
  }
  return OpId();
}

OpId OpFinder::last_write(std::uint32_t txn, std::uint32_t key) {
  const History& history = index_.history();
  if (history.is_init(TxnId(txn))) return OpId();
  if (const Sorted* large = sorted(txn)) {
    auto at = std::partition_point(
        large->by_key.begin(), large->by_key.end(),
        [&](const Entry& entry) { return entry.what <= key; });
    while (at != large->by_key.begin() && (at - 1)->what == key) {
      --at;
      if (history.is_write(OpId(at->op))) return OpId(at->op);
    }
    return OpId();
  }
  OpId last;
  for (const OpId op : history.ops(TxnId(txn))) {
    if (history.is_write(op) && history.key(op).v == key) last = op;
  }
  return last;
}

}  // namespace awdit
