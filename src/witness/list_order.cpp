#include "witness/list_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "witness/phrases.h"

namespace awdit {
namespace {

auto rank(Atom atom) { return std::tuple(atom.bits, atom.kind); }

}  // namespace

bool ListOrder::shows(OpId read, TxnId older, TxnId newer) {
  const List& it = list(read);
  if (std::binary_search(it.neighbours.begin(), it.neighbours.end(),
                         Neighbours(older.v, newer.v))) {
    return true;
  }
  return std::binary_search(it.seen.begin(), it.seen.end(), older.v) &&
         !std::binary_search(it.seen_in_full.begin(), it.seen_in_full.end(),
                             newer.v);
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
    // A transaction's operations stand together, in program order.
    if (!found.empty() && found.back().txn == txn) found.back().last = false;
    found.push_back({history_.value(OpId(op)), txn, true});
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
  std::vector<const Append*> found;
  for (std::size_t i = 0; i < history_.list_size(read); ++i) {
    const Atom element = history_.element(read, i);
    const auto append = std::partition_point(
        known.begin(), known.end(),
        [&](const Append& a) { return rank(a.element) < rank(element); });
    const bool is = append != known.end() && append->element == element;
    found.push_back(is ? &*append : nullptr);
    result.writers.push_back(is ? append->txn : kNoId);
  }
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (found[i - 1] != nullptr && found[i] != nullptr) {
      result.neighbours.emplace_back(found[i - 1]->txn, found[i]->txn);
    }
  }
  // What the reader appended itself stands at the end.
  const std::uint32_t reader = attribution_.op_txn[read.v];
  while (!found.empty() && found.back() != nullptr &&
         found.back()->txn == reader) {
    found.pop_back();
  }
  for (const Append* append : found) {
    if (append == nullptr) continue;
    result.seen.push_back(append->txn);
    if (append->last) result.seen_in_full.push_back(append->txn);
  }
  const auto arrange = [](auto& items) {
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
  };
  arrange(result.neighbours);
  arrange(result.seen);
  arrange(result.seen_in_full);
  return result;
}

std::string ListOrder::objection(std::span<const std::uint32_t> place) {
  // Of each key the longest list, and the one that is longest before its
  // reader's own elements; others are beginnings of these.
  struct Longest {
    OpId all, seen;
    std::size_t seen_length = 0;
  };
  std::map<KeyId, Longest> longest;
  for (const TxnId txn : history_.txns()) {
    if (attribution_.counts[txn.v] == 0) continue;
    for (const OpId op : history_.ops(txn)) {
      if (history_.is_write(op) || history_.list_size(op) == 0) continue;
      Longest& best = longest[history_.key(op)];
      if (!best.all.valid() ||
          history_.list_size(op) > history_.list_size(best.all)) {
        best.all = op;
      }
      if (history_.list_size(op) <= best.seen_length) continue;
      const List& it = list(op);
      std::size_t length = it.writers.size();
      while (length != 0 && it.writers[length - 1] == txn.v) --length;
      if (length > best.seen_length) {
        best.seen = op;
        best.seen_length = length;
      }
      lists_.erase(op);  // there are as many as reads
    }
  }
  for (const auto& [key, best] : longest) {
    for (const OpId read : {best.all, best.seen}) {
      if (!read.valid()) continue;
      std::string wrong = objection(key, read, place);
      if (!wrong.empty()) return wrong;
    }
  }
  return "";
}

std::string ListOrder::objection(KeyId key, OpId read,
                                 std::span<const std::uint32_t> place) {
  const List& it = list(read);
  const auto told = [&](std::uint32_t older, std::uint32_t newer) {
    return fmt::format(
        "the commit order puts {} before {}, but {}'s read of {} shows that {} "
        "appended first",
        history_.txn_name(TxnId(newer)), history_.txn_name(TxnId(older)),
        history_.txn_name(TxnId(attribution_.op_txn[read.v])),
        quote(history_, read), history_.txn_name(TxnId(older)));
  };
  for (const auto& [older, newer] : it.neighbours) {
    if (older != newer && place[older] > place[newer]) {
      return told(older, newer);
    }
  }
  std::uint32_t end = kNoId;  // of those seen the last one
  for (const std::uint32_t txn : it.seen) {
    if (end == kNoId || place[txn] > place[end]) end = txn;
  }
  if (end == kNoId) return "";
  for (const Append& append : appends(key)) {
    if (append.last && append.txn != end && place[append.txn] < place[end] &&
        !std::binary_search(it.seen_in_full.begin(), it.seen_in_full.end(),
                            append.txn)) {
      return told(end, append.txn);
    }
  }
  return "";
}

}  // namespace awdit
