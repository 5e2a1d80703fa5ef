// Cost of a read: O(log n), and of the operations that its transaction has on
// the key; of a list also its length. The appends of a key are sorted when the
// first of its lists comes.
#include "tell/support.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "base/make_set.h"

namespace awdit {
namespace {

auto by_element(Atom element) { return std::tuple(element.bits, element.kind); }

}  // namespace

void Support::add_appends(OpId read, std::vector<OpId>& ops) {
  const auto [at, fresh] = appends_.try_emplace(history_.key(read));
  std::vector<Append>& appends = at->second;
  if (fresh) {
    for (const std::uint32_t op : attribution_.ops_on(at->first)) {
      if (!history_.is_write(OpId(op))) continue;
      const std::uint32_t txn = attribution_.op_txn[op];
      const bool counts = attribution_.counts[txn] != 0;
      if (!counts && history_.status(TxnId(txn)) != Status::aborted) continue;
      appends.push_back({history_.value(OpId(op)), counts ? 0u : 1u, OpId(op)});
    }
    std::ranges::sort(appends, [](const Append& a, const Append& b) {
      return std::tuple(by_element(a.element), a.claim, a.op) <
             std::tuple(by_element(b.element), b.claim, b.op);
    });
  }
  for (std::size_t i = 0; i < history_.list_size(read); ++i) {
    const Atom element = history_.element(read, i);
    const auto found =
        std::ranges::partition_point(appends, [&](const Append& append) {
          return by_element(append.element) < by_element(element);
        });
    if (found != appends.end() && found->element == element) {
      ops.push_back(found->op);
    }
  }
}

void Support::add_needs(OpId read, bool repeatable, std::vector<OpId>& ops) {
  const auto add = [&](OpId op) {
    if (op.valid()) ops.push_back(op);
  };
  const std::uint32_t source = attribution_.source[read.v];
  const std::span<const std::uint32_t> own = attribution_.ops_on(
      history_.key(read), TxnId(attribution_.op_txn[read.v]));
  if (history_.has_lists()) {
    add_appends(read, ops);
    // It must end with all of these, which are its elements unless it is wrong.
    for (const std::uint32_t op : own) {
      if (op < read.v && history_.is_write(OpId(op))) add(OpId(op));
    }
  }
  if (const ReadFinding* found = find_finding(attribution_.findings, read)) {
    add(found->write);
    add(found->other);
    return;
  }
  if (source == Attribution::kNone) {
    // It returned the transaction's own write, the latest before it.
    OpId latest;
    for (const std::uint32_t op : own) {
      if (op < read.v && history_.is_write(OpId(op))) latest = OpId(op);
    }
    add(latest);
    return;
  }
  if (source != Attribution::kInit) add(OpId(source));
  if (!repeatable) return;
  for (const std::uint32_t op : own) {
    if (attribution_.source[op] == Attribution::kNone) continue;
    if (op != read.v) add(OpId(op));
    return;
  }
}

std::vector<OpId> Support::closed(std::vector<OpId> ops, bool repeatable) {
  make_set(ops);
  std::vector<OpId> all = ops;
  while (!ops.empty()) {
    std::vector<OpId> more;
    for (const OpId op : ops) {
      if (!history_.is_write(op)) add_needs(op, repeatable, more);
    }
    make_set(more);
    ops.clear();
    std::set_difference(more.begin(), more.end(), all.begin(), all.end(),
                        std::back_inserter(ops));
    std::vector<OpId> merged;
    std::set_union(all.begin(), all.end(), ops.begin(), ops.end(),
                   std::back_inserter(merged));
    all.swap(merged);
  }
  return all;
}

}  // namespace awdit
