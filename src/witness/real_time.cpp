#include "witness/real_time.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "base/assert.h"

namespace awdit {
namespace {

// A moment: its time, and what orders equal times. An end without a tick comes
// after all others of its time, a begin before them, because equal times alone
// show nothing.
struct Moment {
  std::int64_t time = kNoTime;
  int without_tick = 0;  // -1 first, 1 last
  std::int64_t tick = 0;
  friend bool operator<(const Moment& a, const Moment& b) {
    return std::tie(a.time, a.without_tick, a.tick) <
           std::tie(b.time, b.without_tick, b.tick);
  }
};

Moment moment(const History& history, TxnId txn,
              std::int64_t History::Times::*side, int without_tick) {
  Moment result;
  if (const auto times = history.times(txn)) result.time = (*times).*side;
  const auto ticks = history.ticks(txn);
  if (ticks && (*ticks).*side != kNoTime) {
    result.tick = (*ticks).*side;
  } else {
    result.without_tick = without_tick;
  }
  return result;
}

struct End {
  Moment moment;
  std::uint32_t place;
  // Of this end and those before it, the last two places.
  std::uint32_t last = 0;
  std::uint32_t last_but_one = 0;
};

std::vector<End> sorted_ends(const History& history, const Replay& replay) {
  std::vector<End> ends;
  for (std::uint32_t i = 0; i < replay.order.size(); ++i) {
    const TxnId txn = replay.order[i];
    // Of unknown outcome: it may have taken effect later.
    if (history.status(txn) == Status::unknown) continue;
    const Moment end = moment(history, txn, &History::Times::end, 1);
    if (end.time != kNoTime) ends.push_back({end, i + 1});
  }
  std::sort(ends.begin(), ends.end(),
            [](const End& a, const End& b) { return a.moment < b.moment; });
  std::uint32_t last = 0;
  std::uint32_t last_but_one = 0;
  for (End& end : ends) {
    last_but_one = std::max(last_but_one, std::min(last, end.place));
    last = std::max(last, end.place);
    end.last = last;
    end.last_but_one = last_but_one;
  }
  return ends;
}

}  // namespace

Array<std::uint32_t> last_ended_before(const History& history,
                                       const Replay& replay) {
  Array<std::uint32_t> result(replay.order.size(), 0);
  const std::vector<End> ends = sorted_ends(history, replay);
  for (std::uint32_t i = 0; i < replay.order.size(); ++i) {
    const Moment begin =
        moment(history, replay.order[i], &History::Times::begin, -1);
    if (begin.time == kNoTime) continue;
    const auto after = std::partition_point(
        ends.begin(), ends.end(),
        [&](const End& end) { return end.moment < begin; });
    if (after == ends.begin()) continue;
    const End& latest = *(after - 1);
    // Where clocks are odd, it may have ended before it began itself.
    result[i] = latest.last == i + 1 ? latest.last_but_one : latest.last;
    AWDIT_ASSERT(
        result[i] == 0 ||
        history.ended_before(replay.order[result[i] - 1], replay.order[i]));
  }
  return result;
}

}  // namespace awdit
