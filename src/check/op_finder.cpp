#include "check/op_finder.h"

#include <algorithm>

namespace awdit {
namespace {

constexpr std::uint32_t kShort = 64;

}  // namespace

const OpFinder::Sorted* OpFinder::reads(std::uint32_t txn) {
  return sorted(reads_, txn, [&](OpId op, Sorted& entries) {
    if (!history_.is_write(op)) {
      entries.push_back({history_.key(op).v, op.v});
    }
  });
}

const OpFinder::Sorted* OpFinder::writes(std::uint32_t txn) {
  return sorted(writes_, txn, [&](OpId op, Sorted& entries) {
    if (history_.is_write(op)) {
      entries.push_back({history_.key(op).v, op.v});
    }
  });
}

const OpFinder::Sorted* OpFinder::sources(std::uint32_t txn) {
  return sorted(sources_, txn, [&](OpId op, Sorted& entries) {
    const std::uint32_t source = sources_of_[op.v];
    if (is_external(source)) entries.push_back({source, op.v});
  });
}

template <typename Add>
const OpFinder::Sorted* OpFinder::sorted(
    std::unordered_map<std::uint32_t, Sorted>& known, std::uint32_t txn,
    Add&& add) {
  const IdRange<OpId> ops = history_.ops(TxnId(txn));
  if (ops.size() <= kShort) return nullptr;
  const auto [place, is_new] = known.try_emplace(txn);
  Sorted& entries = place->second;
  if (!is_new) return &entries;
  for (const OpId op : ops) add(op, entries);
  std::sort(entries.begin(), entries.end());
  return &entries;
}

OpId OpFinder::read(std::uint32_t txn, std::uint32_t key, std::uint32_t source,
                    OpId after) {
  const auto fits = [&](std::uint32_t op) {
    return sources_of_[op] == source && (!after.valid() || op > after.v);
  };
  if (const Sorted* large = reads(txn)) {
    auto at = std::partition_point(
        large->begin(), large->end(),
        [&](const Entry& entry) { return entry.what < key; });
    for (; at != large->end() && at->what == key; ++at) {
      if (fits(at->op)) return OpId(at->op);
    }
    return OpId();
  }
  for (const OpId op : history_.ops(TxnId(txn))) {
    if (fits(op.v) && history_.key(op).v == key) return op;
  }
  return OpId();
}

OpId OpFinder::read_from(std::uint32_t txn, std::uint32_t source) {
  if (const Sorted* large = this->sources(txn)) {
    const auto at = std::partition_point(
        large->begin(), large->end(),
        [&](const Entry& entry) { return entry.what < source; });
    const bool found = at != large->end() && at->what == source;
    return found ? OpId(at->op) : OpId();
  }
  for (const OpId op : history_.ops(TxnId(txn))) {
    if (sources_of_[op.v] == source) return op;
  }
  return OpId();
}

OpId OpFinder::last_write(std::uint32_t txn, std::uint32_t key, OpId before) {
  const History& history = history_;
  if (history.is_init(TxnId(txn))) return OpId();
  const std::uint32_t limit =
      before.valid() ? before.v : history.ops(TxnId(txn)).last;
  if (const Sorted* large = writes(txn)) {
    const auto at =
        std::lower_bound(large->begin(), large->end(), Entry{key, limit});
    const bool found = at != large->begin() && (at - 1)->what == key;
    return found ? OpId((at - 1)->op) : OpId();
  }
  OpId last;
  for (const OpId op : history.ops(TxnId(txn))) {
    if (op.v < limit && history.is_write(op) && history.key(op).v == key) {
      last = op;
    }
  }
  return last;
}

}  // namespace awdit
