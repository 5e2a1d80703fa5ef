#include "witness/list_order.h"

#include <algorithm>
#include <tuple>

namespace awdit {
namespace {

auto rank(Atom atom) { return std::tuple(atom.bits, atom.kind); }

}  // namespace

bool ListOrder::shows(OpId read, TxnId older, TxnId newer) {
  const std::vector<Neighbours>& pairs = neighbours(read);
  return std::binary_search(pairs.begin(), pairs.end(),
                            Neighbours(older.v, newer.v));
}

// Of the transactions that count; no two of them append the same.
const std::vector<ListOrder::Append>& ListOrder::appends(KeyId key) {
  const auto [at, fresh] = appends_.try_emplace(key);
  std::vector<Append>& found = at->second;
  if (!fresh) return found;
  for (const std::uint32_t op : attribution_.ops_on(key)) {
    const std::uint32_t txn = attribution_.op_txn[op];
    if (history_.is_write(OpId(op)) && attribution_.counts[txn] != 0) {
      found.push_back({history_.value(OpId(op)), txn});
    }
  }
  std::sort(found.begin(), found.end(), [](const Append& a, const Append& b) {
    return rank(a.element) < rank(b.element);
  });
  return found;
}

const std::vector<ListOrder::Neighbours>& ListOrder::neighbours(OpId read) {
  const auto [at, fresh] = neighbours_.try_emplace(read);
  std::vector<Neighbours>& pairs = at->second;
  if (!fresh) return pairs;
  const std::vector<Append>& known = appends(history_.key(read));
  std::uint32_t before = kNoId;
  for (std::size_t i = 0; i < history_.list_size(read); ++i) {
    const Atom element = history_.element(read, i);
    const auto append = std::partition_point(
        known.begin(), known.end(),
        [&](const Append& a) { return rank(a.element) < rank(element); });
    const bool found = append != known.end() && append->element == element;
    const std::uint32_t writer = found ? append->txn : kNoId;
    if (before != kNoId && found) pairs.emplace_back(before, writer);
    before = writer;
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace awdit
