#include "check/end_times.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>

namespace awdit {
namespace {

struct End {
  std::uint32_t domain;
  std::int64_t time, tick;
};

std::optional<End> end_of(const History& history, TxnId txn) {
  const auto times = history.times(txn);
  if (!times || times->end == kNoTime ||
      history.status(txn) == Status::unknown) {
    return std::nullopt;
  }
  // Without a tick it ended before nobody who began at that time.
  const auto ticks = history.ticks(txn);
  const bool ticked = ticks && ticks->end != kNoTime;
  return End{history.clock_domain(txn), times->end,
             ticked ? ticks->end : INT64_MAX};
}

}  // namespace

EndTimes::EndTimes(const History& history, std::span<const std::uint32_t> txns)
    : history_(history), txns_(txns) {
  struct Ended {
    End end;
    std::uint32_t number;
  };
  std::vector<Ended> ends;
  for (std::uint32_t i = 0; i < txns.size(); ++i) {
    if (const auto end = end_of(history, TxnId(txns[i]))) {
      ends.push_back({*end, i});
    }
  }
  const auto place = [](const Ended& it) {
    return std::tie(it.end.domain, it.end.time, it.end.tick, it.number);
  };
  // A recording is in this order already, or nearly.
  if (!std::ranges::is_sorted(ends, {}, place)) {
    std::ranges::sort(ends, {}, place);
  }
  ended_.reserve(ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i != 0 && ends[i].end.domain != ends[i - 1].end.domain) {
      first_.push_back(static_cast<std::uint32_t>(i));
    }
    ended_.push_back(ends[i].number);
  }
}

std::uint32_t EndTimes::ended_before(std::uint32_t txn,
                                     std::size_t clock) const {
  const auto first = ended_.begin() + first_[clock];
  const auto last = clock + 1 == first_.size()
                        ? ended_.end()
                        : ended_.begin() + first_[clock + 1];
  return static_cast<std::uint32_t>(
      std::partition_point(first, last,
                           [&](std::uint32_t other) {
                             return history_.ended_before(TxnId(txns_[other]),
                                                          TxnId(txn));
                           }) -
      ended_.begin());
}

// From the last to the first, with the earliest end of those behind.
bool keeps_real_time(const History& history,
                     std::span<const std::uint32_t> order) {
  struct Earliest {
    End end;
    std::uint32_t txn;
  };
  std::vector<Earliest> behind;  // one for each clock
  for (std::size_t i = order.size(); i-- > 0;) {
    const TxnId txn(order[i]);
    for (const Earliest& other : behind) {
      if (history.ended_before(TxnId(other.txn), txn)) return false;
    }
    const std::optional<End> end = end_of(history, txn);
    if (!end) continue;
    const auto same = std::ranges::find_if(behind, [&](const Earliest& other) {
      return other.end.domain == end->domain;
    });
    if (same == behind.end()) {
      behind.push_back({*end, txn.v});
    } else if (std::tie(end->time, end->tick) <
               std::tie(same->end.time, same->end.tick)) {
      *same = {*end, txn.v};
    }
  }
  return true;
}

}  // namespace awdit
