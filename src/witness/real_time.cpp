// Real time against a commit order: who of those that had ended before a
// transaction began comes last.
//
// The ends are sorted, so that those before a begin are a first part of them;
// how late a first part reaches in the commit order is known once it has been
// walked. That is done for each clock domain, whose ends are held against the
// begins of all domains. Cost: O(d n log n) for n transactions of d domains,
// instead of all pairs.
#include <algorithm>
#include <optional>
#include <vector>

#include "base/assert.h"
#include "witness/replay.h"

namespace awdit {
namespace {

// A moment: its time, and what orders equal times. An end without a tick comes
// after all others of its time, a begin before them, because equal times alone
// show nothing.
struct Moment {
  std::int64_t time = kNoTime;
  int without_tick = 0;  // -1 first, 1 last
  std::int64_t tick = 0;
  friend auto operator<=>(const Moment&, const Moment&) = default;
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

// [clock domain] -> its ends
std::vector<std::vector<End>> sorted_ends(const History& history,
                                          const Replay& replay) {
  std::vector<std::vector<End>> all(
      std::max<std::size_t>(1, history.clock_domains().size()));
  for (std::uint32_t i = 0; i < replay.order.size(); ++i) {
    const TxnId txn = replay.order[i];
    // Of unknown outcome: it may have taken effect later.
    if (history.status(txn) == Status::unknown) continue;
    const Moment end = moment(history, txn, &History::Times::end, 1);
    if (end.time != kNoTime) {
      all[history.clock_domain(txn)].push_back({end, i + 1});
    }
  }
  for (std::vector<End>& ends : all) {
    std::ranges::sort(ends, {}, &End::moment);
    std::uint32_t last = 0;
    std::uint32_t last_but_one = 0;
    for (End& end : ends) {
      last_but_one = std::max(last_but_one, std::min(last, end.place));
      last = std::max(last, end.place);
      end.last = last;
      end.last_but_one = last_but_one;
    }
  }
  return all;
}

// [to] -> how much more the clock of `to` shows than that of `from`, at the
// most; empty: nobody knows. Each relation is a bound in both directions, and
// bounds add up; those that overflow count as none.
std::vector<std::optional<std::int64_t>> ahead_of(const ClockDomains& domains,
                                                  std::uint32_t from) {
  std::vector<std::optional<std::int64_t>> most(
      std::max<std::size_t>(1, domains.size()));
  most[from] = 0;
  const auto improve = [&](std::uint32_t via, std::uint32_t to,
                           std::int64_t bound) {
    std::int64_t sum = 0;
    if (!most[via] || __builtin_add_overflow(*most[via], bound, &sum)) {
      return false;
    }
    if (most[to] && *most[to] <= sum) return false;
    most[to] = sum;
    return true;
  };
  // No path has more steps than that.
  bool improved = true;
  for (std::size_t step = 1; improved && step < most.size(); ++step) {
    improved = false;
    for (const ClockDomains::Relation& r : domains.relations()) {
      improved |= improve(r.from, r.to, r.offset + r.error);
      improved |= improve(r.to, r.from, r.error - r.offset);
    }
  }
  return most;
}

}  // namespace

Array<std::uint32_t> last_ended_before(const History& history,
                                       const Replay& replay) {
  Array<std::uint32_t> result(replay.order.size(), 0);
  const std::vector<std::vector<End>> all = sorted_ends(history, replay);
  for (std::uint32_t domain = 0; domain < all.size(); ++domain) {
    const std::vector<End>& ends = all[domain];
    if (ends.empty()) continue;
    const auto ahead = ahead_of(history.clock_domains(), domain);
    for (std::uint32_t i = 0; i < replay.order.size(); ++i) {
      const TxnId txn = replay.order[i];
      const Moment begin = moment(history, txn, &History::Times::begin, -1);
      const std::uint32_t own = history.clock_domain(txn);
      if (begin.time == kNoTime || !ahead[own]) continue;
      const auto is_before = [&](const End& end) {
        if (own == domain) return end.moment < begin;
        std::int64_t at = 0;
        if (__builtin_add_overflow(end.moment.time, *ahead[own], &at)) {
          return *ahead[own] < 0;
        }
        return at < begin.time;
      };
      const auto after = std::ranges::partition_point(ends, is_before);
      if (after == ends.begin()) continue;
      const End& latest = *(after - 1);
      // No transaction ended before it began itself.
      const std::uint32_t place =
          latest.last == i + 1 ? latest.last_but_one : latest.last;
      result[i] = std::max(result[i], place);
      AWDIT_ASSERT(place == 0 ||
                   history.ended_before(replay.order[place - 1], txn));
    }
  }
  return result;
}

}  // namespace awdit
