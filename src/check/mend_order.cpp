// Idea: whoever is to come before somebody goes right there, with all that it
// depends on in turn, if that does not lead to whom it is to precede. The order
// of those who move stays as it is.
#include <algorithm>
#include <cstddef>
#include <tuple>

#include "base/number_lists.h"
#include "check/looks.h"
#include "check/sources.h"

namespace awdit {
namespace {

// Transactions that move along with one; beyond, it stays where it is.
constexpr std::size_t kMostAlong = 256;

class Mender {
 public:
  Mender(const History& history, const Order& order,
         std::span<const std::uint32_t> sources,
         std::span<const std::uint32_t> previous)
      : history_(history),
        txns_(order.txns),
        ranks_(order.ranks),
        sources_(sources),
        previous_(previous),
        place_(order.txns.size(), kNoId),
        met_(order.txns.size(), 0) {}

  void move_up(const Looks& looks, Blame blame) {
    // Side by side those that say the same of two writers.
    std::vector<Overtaken> all = looks.overtaken;
    std::ranges::sort(all, {}, [](const Overtaken& it) {
      return std::tie(it.writer, it.source, it.reader);
    });
    for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
      while (end < all.size() && all[end].writer == all[first].writer &&
             all[end].source == all[first].source) {
        ++end;
      }
      const Overtaken& it = all[first];
      const auto writer_up = [&] {
        // Nobody comes before init.
        return it.source != 0 && put_before(it.source, [&](auto&& meet) {
                 meet(txns_[it.writer]);
               });
      };
      const bool writer_first = blame == Blame::writers ||
                                (blame == Blame::whoever && end - first > 1);
      if (writer_first && writer_up()) continue;
      bool done = true;
      for (std::size_t i = first; i < end; ++i) {
        done &= put_before(it.writer, [&](auto&& meet) {
          for_each_source(txns_[all[i].reader], meet);
        });
      }
      if (!done && !writer_first) writer_up();
    }
  }

  std::vector<std::uint32_t> take() const {
    const auto ranks = static_cast<std::uint32_t>(txns_.size());
    const NumberLists moved(ranks, [&](auto&& add) {
      for (std::uint32_t rank = 1; rank < ranks; ++rank) {
        if (place_[rank] != kNoId) add(place_[rank], txns_[rank]);
      }
    });
    std::vector<std::uint32_t> order;
    if (moved.items.empty()) return order;
    order.reserve(ranks);
    for (std::uint32_t rank = 1; rank < ranks; ++rank) {
      order.insert(order.end(), moved[rank].begin(), moved[rank].end());
      if (place_[rank] == kNoId) order.push_back(txns_[rank]);
    }
    return order;
  }

 private:
  // Returns false if they cannot all be there. for_each_first(meet) calls
  // meet(txn) for each of them.
  template <typename ForEach>
  bool put_before(std::uint32_t place, ForEach&& for_each_first) {
    ++number_;
    along_.clear();
    const auto meet = [&](std::uint32_t txn) {
      const std::uint32_t rank = ranks_[txn];
      if (rank < place || met_[rank] == number_) return;
      met_[rank] = number_;
      along_.push_back(rank);
    };
    for_each_first(meet);
    for (std::size_t i = 0; i < along_.size(); ++i) {
      if (along_[i] == place || i == kMostAlong) return false;
      for_each_source(txns_[along_[i]], meet);
    }
    for (const std::uint32_t rank : along_) {
      place_[rank] = std::min(place_[rank], place);
    }
    return true;
  }

  template <typename Visit>
  void for_each_source(std::uint32_t txn, Visit&& visit) const {
    if (previous_[txn] != kNoId) visit(previous_[txn]);
    for (const OpId op : history_.ops(TxnId(txn))) {
      if (is_external(sources_[op.v])) visit(sources_[op.v]);
    }
  }

  const History& history_;
  const std::span<const std::uint32_t> txns_;
  const std::span<const std::uint32_t> ranks_;
  const std::span<const std::uint32_t> sources_;
  const std::span<const std::uint32_t> previous_;
  std::vector<std::uint32_t> place_;  // [rank] -> before whom; kNoId: stays
  std::vector<std::uint32_t> met_;    // [rank] -> number_ when it was met
  std::vector<std::uint32_t> along_;  // ranks
  std::uint32_t number_ = 0;
};

}  // namespace

std::vector<std::uint32_t> mend_order(const History& history,
                                      const Order& order,
                                      std::span<const std::uint32_t> sources,
                                      std::span<const std::uint32_t> previous,
                                      const Looks& looks, Blame blame) {
  Mender mender(history, order, sources, previous);
  mender.move_up(looks, blame);
  return mender.take();
}

}  // namespace awdit
