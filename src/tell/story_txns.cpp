#include "tell/story_txns.h"

#include <algorithm>
#include <unordered_map>

#include "tell/proof.h"

namespace awdit {
namespace {

// Transactions of up to this many operations are shown whole; larger ones show
// at most this many besides those that the evidence names.
constexpr std::uint32_t kFewOps = 8;
// Transactions larger than this are not searched for further operations on the
// keys concerned.
constexpr std::uint32_t kSearchedOps = 10'000;

// All of a small transaction; of a large one what the evidence names and a few
// more operations on the same keys.
StoryTxn show_whole(const History& history, TxnId txn,
                    const std::vector<Exhibit>& exhibits) {
  StoryTxn shown{.txn = txn, .ops = exhibits_in(history, txn, exhibits)};
  const IdRange<OpId> ops = history.ops(txn);
  if (ops.size() <= kSearchedOps) {
    const std::vector<Exhibit> named = std::move(shown.ops);
    shown.ops.clear();
    std::vector<KeyId> keys;
    for (const Exhibit& exhibit : named) {
      keys.push_back(history.key(exhibit.op));
    }
    std::size_t extra = 0;
    auto next = named.begin();
    for (const OpId op : ops) {
      if (next != named.end() && next->op == op) {
        shown.ops.push_back(*next++);
        continue;
      }
      const bool related =
          ops.size() <= kFewOps ||
          (extra < kFewOps &&
           std::ranges::find(keys, history.key(op)) != keys.end());
      if (!related) continue;
      ++extra;
      shown.ops.push_back({.op = op});
    }
  }
  shown.omitted = ops.size() - shown.ops.size();
  return shown;
}

// Who wrote what a read returned, if that is in the story.
void add_source(const History& history, const std::vector<OpId>& ops,
                Exhibit& exhibit) {
  constexpr std::size_t kMostSearched = 200;
  if (history.has_lists() || history.is_write(exhibit.op) ||
      ops.size() > kMostSearched) {
    return;
  }
  for (const OpId op : ops) {
    if (!history.is_write(op) || history.key(op) != history.key(exhibit.op) ||
        history.value(op) != history.value(exhibit.op)) {
      continue;
    }
    exhibit.source = Source::txn;
    exhibit.from = history.txn_of(op);
    return;
  }
}

// The transactions of the smallest story: those of the evidence in its order;
// before them writers of what else was read, after them whoever else it needs
// (say, who proves that an unknown one committed).
std::vector<StoryTxn> show_smallest(const History& history,
                                    const Shrunk& smallest,
                                    const std::vector<Exhibit>& exhibits) {
  std::vector<StoryTxn> shown;
  std::unordered_map<std::uint32_t, std::size_t> place;  // txn -> in `shown`
  const auto entry = [&](TxnId txn) -> StoryTxn& {
    const auto [at, added] = place.emplace(txn.v, shown.size());
    if (added) {
      shown.push_back({.txn = txn, .omitted = history.ops(txn).size()});
    }
    return shown[at->second];
  };
  for (const TxnId txn : transactions_of(history, smallest.violation)) {
    entry(txn);
  }
  const std::size_t of_evidence = shown.size();
  auto exhibit = exhibits.begin();
  for (const OpId op : smallest.ops) {
    while (exhibit != exhibits.end() && exhibit->op < op) ++exhibit;
    const bool named = exhibit != exhibits.end() && exhibit->op == op;
    StoryTxn& txn = entry(history.txn_of(op));
    txn.ops.push_back(named ? *exhibit : Exhibit{.op = op});
    if (txn.ops.back().source == Source::unsaid) {
      add_source(history, smallest.ops, txn.ops.back());
    }
    --txn.omitted;
  }
  const auto others = shown.begin() + static_cast<std::ptrdiff_t>(of_evidence);
  const auto readers =
      std::stable_partition(others, shown.end(), [&](const StoryTxn& txn) {
        return std::ranges::all_of(
            txn.ops, [&](const Exhibit& e) { return history.is_write(e.op); });
      });
  std::rotate(shown.begin(), others, readers);
  return shown;
}

}  // namespace

std::vector<StoryTxn> story_txns(const History& history,
                                 const Shrunk& smallest) {
  const std::vector<Exhibit> exhibits =
      exhibits_of(history, smallest.violation);
  if (smallest.stands_alone) return show_smallest(history, smallest, exhibits);
  std::vector<StoryTxn> txns;
  for (const TxnId txn : transactions_of(history, smallest.violation)) {
    txns.push_back(show_whole(history, txn, exhibits));
  }
  return txns;
}

}  // namespace awdit
