#include "check/guessed_orders.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "base/number_lists.h"
#include "check/end_times.h"

namespace awdit {
namespace {

// Each of them mends what the one before has shown, mostly all there is.
constexpr int kRounds = 16;

// Of transactions in an order, [i]: the rank of the last one that had ended
// when it began; init has rank 0.
class LastEnded {
 public:
  LastEnded(const History& history, std::span<const std::uint32_t> txns)
      : times_(history, txns) {}

  // [clock] -> [place in the order of ends] -> the last rank up to there.
  // `ranks`: [txn].
  void follow(std::span<const std::uint32_t> txns,
              std::span<const std::uint32_t> ranks) {
    last_.resize(times_.ended().size());
    const auto& first = times_.first();
    for (std::size_t i = 0, clock = 0; i < last_.size(); ++i) {
      if (clock + 1 < first.size() && first[clock + 1] == i) ++clock;
      last_[i] = ranks[txns[times_.ended()[i]]];
      if (i != first[clock]) last_[i] = std::max(last_[i], last_[i - 1]);
    }
  }
  std::uint32_t before(std::uint32_t txn) const {
    std::uint32_t rank = 0;
    for (std::size_t clock = 0; clock < times_.first().size(); ++clock) {
      const std::uint32_t end = times_.ended_before(txn, clock);
      if (end != times_.first()[clock]) rank = std::max(rank, last_[end - 1]);
    }
    return rank;
  }

 private:
  EndTimes times_;
  std::vector<std::uint32_t> last_;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> guess_snapshots(Index& index,
                                                          const Level& level) {
  const auto txns = index.order().subspan(1);
  std::optional<LastEnded> ended;
  if (level.real_time) {
    ended.emplace(index.history(), txns);
    ended->follow(txns, index.ranks());
  }
  // Whoever read nothing stale may have seen all that came before.
  std::vector<std::uint32_t> snapshots(txns.size());
  for (std::uint32_t i = 0; i < snapshots.size(); ++i) snapshots[i] = i;
  for (const Look& look : index.looks().of) {
    std::uint32_t moment = look.seen;
    if (level.cycles != Cycles::prefix) {
      moment = std::max(moment, look.replaced);
    }
    if (ended) moment = std::max(moment, ended->before(txns[look.reader - 1]));
    if (moment >= look.missed) return std::nullopt;
    snapshots[look.reader - 1] = moment;
  }
  return snapshots;
}

NearSerial guess_serial_order(Index& index, bool real_time) {
  const History& history = index.history();
  const auto txns = index.order().subspan(1);
  std::optional<LastEnded> ended;
  if (real_time) {
    ended.emplace(history, txns);
    ended->follow(txns, index.ranks());
  }
  NearSerial near{{txns.begin(), txns.end()}, real_time, false};
  const Looks* looks = &index.looks();
  Outlook now;
  for (int round = 0; round < kRounds; ++round) {
    // Right before who replaced something that they read.
    std::vector<std::uint8_t> moves(txns.size() + 1, 0);
    const NumberLists before(txns.size() + 1, [&](auto&& add) {
      for (const Look& look : looks->of) {
        if (look.is_suspect()) continue;
        // An element that was put in before that one is known to be older.
        if (history.has_lists() && look.replaced >= look.missed) continue;
        const std::uint32_t txn = near.order[look.reader - 1];
        if (ended && ended->before(txn) >= look.missed) continue;
        moves[look.reader] = 1;
        add(look.missed, txn);
      }
    });
    if (before.items.empty()) break;
    std::vector<std::uint32_t> order;
    order.reserve(txns.size());
    for (std::uint32_t rank = 1; rank <= txns.size(); ++rank) {
      const auto earlier = before[rank];
      order.insert(order.end(), earlier.begin(), earlier.end());
      if (moves[rank] == 0) order.push_back(near.order[rank - 1]);
    }
    index.budget().ask();
    Outlook next = index.outlook(order);
    if (next.looks.of.size() >= looks->of.size() ||
        !versions_ascend(index.versions(), next.order.ranks.span())) {
      break;
    }
    near.order = std::move(order);
    now = std::move(next);
    looks = &now.looks;
    if (looks->of.empty()) break;
    if (ended) ended->follow(txns, now.order.ranks.span());
  }
  near.is_serial = looks->of.empty();
  if (near.is_serial) return near;
  if (auto order = solve_stretches(index, near.order, *looks, real_time)) {
    near = {std::move(*order), real_time, true};
  }
  return near;
}

}  // namespace awdit
