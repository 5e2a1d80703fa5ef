#include "witness/list_order.h"

#include <algorithm>
#include <utility>

namespace awdit {

bool ListOrder::shows(OpId read, TxnId older, TxnId newer) {
  const List& it = list(read);
  const Stretch* const before = find(it, older);
  if (before == nullptr) return false;
  const Stretch* const after = find(it, newer);
  return after == nullptr || before->first < after->last;
}

// Of the transactions that count; no two of them append the same.
const std::vector<ListOrder::Append>& ListOrder::appends(KeyId key) {
  const auto [at, fresh] = appends_.try_emplace(key);
  std::vector<Append>& found = at->second;
  if (!fresh) return found;
  for (const std::uint32_t op : attribution_.ops_on(key)) {
    const std::uint32_t txn = attribution_.op_txn[op];
    if (!history_.is_write(OpId(op)) || attribution_.counts[txn] == 0) {
      continue;
    }
    found.push_back({history_.value(OpId(op)), txn});
  }
  std::ranges::sort(found, {}, &Append::element);
  return found;
}

const ListOrder::List& ListOrder::list(OpId read) {
  const auto [at, fresh] = lists_.try_emplace(read);
  List& result = at->second;
  if (!fresh) return result;
  const std::vector<Append>& known = appends(history_.key(read));
  for (std::uint32_t i = 0; i < history_.list_size(read); ++i) {
    const Atom element = history_.element(read, i);
    const auto append =
        std::ranges::lower_bound(known, element, {}, &Append::element);
    if (append == known.end() || append->element != element) continue;
    if (!result.empty() && result.back().txn == append->txn) {
      result.back().last = i;
    } else {
      result.push_back({append->txn, i, i});
    }
  }
  std::ranges::sort(result, {}, [](const Stretch& it) {
    return std::pair(it.txn, it.first);
  });
  // Without a finding each writer has one stretch.
  std::size_t kept = 0;
  for (const Stretch& stretch : result) {
    if (kept != 0 && result[kept - 1].txn == stretch.txn) {
      result[kept - 1].last = stretch.last;
    } else {
      result[kept++] = stretch;
    }
  }
  result.resize(kept);
  return result;
}

const ListOrder::Stretch* ListOrder::find(const List& list, TxnId txn) {
  const auto at = std::ranges::lower_bound(list, txn.v, {}, &Stretch::txn);
  return at != list.end() && at->txn == txn.v ? &*at : nullptr;
}

}  // namespace awdit
