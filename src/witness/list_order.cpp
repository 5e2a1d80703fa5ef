#include "witness/list_order.h"

#include <algorithm>
#include <tuple>

namespace awdit {
namespace {

auto rank(Atom atom) { return std::tuple(atom.bits, atom.kind); }

}  // namespace

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
  std::sort(found.begin(), found.end(), [](const Append& a, const Append& b) {
    return rank(a.element) < rank(b.element);
  });
  return found;
}

const ListOrder::List& ListOrder::list(OpId read) {
  const auto [at, fresh] = lists_.try_emplace(read);
  List& result = at->second;
  if (!fresh) return result;
  const std::vector<Append>& known = appends(history_.key(read));
  for (std::uint32_t i = 0; i < history_.list_size(read); ++i) {
    const Atom element = history_.element(read, i);
    const auto append = std::partition_point(
        known.begin(), known.end(),
        [&](const Append& a) { return rank(a.element) < rank(element); });
    if (append == known.end() || append->element != element) continue;
    if (!result.empty() && result.back().txn == append->txn) {
      result.back().last = i;
    } else {
      result.push_back({append->txn, i, i});
    }
  }
  std::sort(result.begin(), result.end(),
            [](const Stretch& a, const Stretch& b) {
              return std::tie(a.txn, a.first) < std::tie(b.txn, b.first);
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
  const auto at = std::partition_point(
      list.begin(), list.end(),
      [&](const Stretch& stretch) { return stretch.txn < txn.v; });
  return at != list.end() && at->txn == txn.v ? &*at : nullptr;
}

}  // namespace awdit
