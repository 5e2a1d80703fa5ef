// Lines of a Jepsen history.
//
// Idea: three layouts, the first that fits is taken.
//   plain     each line has its :index: the marks of the history (ticks, or
//             times that count events) are the indices, ids are those of
//             completions. This is what comes from Jepsen.
//   timely    lines in the order of their times, so that others see the same
//             real time; our own keys hold marks and ids.
//   pairwise  where times contradict session order no file of Jepsen could have
//             them: each invocation is followed by its completion.
// Without times there are completions only, in the order of the input.
// Cost: sorting two lines per transaction.
#include "format/jepsen_order.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace awdit {
namespace {

using Type = OpFrame::Type;
using Number = OpFrame::Number;

Number number(std::int64_t value) { return {Number::Given::yes, value}; }

Number number_or_nil(std::int64_t value) {
  if (value == kNoTime) return {Number::Given::nil, 0};
  return number(value);
}

Type completion(Status status) {
  return status == Status::committed ? Type::ok
         : status == Status::aborted ? Type::fail
                                     : Type::info;
}

class Layout {
 public:
  using Write = std::function<bool(const OpLine&)>;

  explicit Layout(const History& history)
      : history_(history), rank_(history.num_txns()) {
    std::uint32_t rank = 0;
    for (const std::uint32_t txn : history.input_order()) {
      rank_[txn] = rank++;
      const Span when = span(TxnId(txn));
      any_time_ |= when.begin.time != kNoTime || when.end.time != kNoTime;
    }
  }

  bool timeless(const Write& write) const;
  bool plain(const Write& write) const;
  bool timely(const Write& write) const;
  void pairwise(const Write& write) const;

 private:
  struct Moment {
    std::int64_t time = kNoTime;
    std::int64_t mark = kNoTime;
    bool known() const { return time != kNoTime || mark != kNoTime; }
  };
  struct Span {
    Moment begin, end;
  };

  bool counts_events() const { return history_.clock() == Clock::events; }

  Span span(TxnId txn) const {
    constexpr History::Times kNone{kNoTime, kNoTime};
    History::Times times = history_.times(txn).value_or(kNone);
    History::Times marks = history_.ticks(txn).value_or(kNone);
    if (counts_events()) std::swap(times, marks);
    if (counts_events()) times = kNone;
    Span result{{times.begin, marks.begin}, {times.end, marks.end}};
    if (history_.status(txn) == Status::unknown) result.end = {};
    return result;
  }

  // A line of the layouts with keys of our own.
  OpLine own_line(TxnId txn, bool begin) const;

  const History& history_;
  std::vector<std::uint32_t> rank_;  // [txn] -> place in input_order()
  bool any_time_ = false;            // is known, of a clock
};

bool Layout::timeless(const Write& write) const {
  if (history_.clock() == Clock::nanoseconds || counts_events()) return false;
  bool ascending = history_.has_ids();
  std::int64_t last = kNoTxnLabel;
  for (const std::uint32_t txn : history_.input_order()) {
    const std::int64_t id =
        history_.txn_label(TxnId(txn)).value_or(kNoTxnLabel);
    ascending &= id > last;
    last = id;
  }
  for (const std::uint32_t txn : history_.input_order()) {
    OpLine line{.txn = TxnId(txn),
                .type = completion(history_.status(TxnId(txn)))};
    if (history_.has_ids()) {
      const std::int64_t id =
          history_.txn_label(line.txn).value_or(kNoTxnLabel);
      (ascending ? line.index : line.id) = number_or_nil(id);
    }
    if (!write(line)) break;
  }
  return true;
}

bool Layout::plain(const Write& write) const {
  if (!history_.has_ids()) return false;
  if (!counts_events() && !(history_.has_ticks() && any_time_)) return false;
  std::vector<OpLine> lines;
  bool any_begin = false;
  for (const SessionId session : history_.sessions()) {
    std::int64_t last = kNoTime;  // index of the session's last line
    bool open = false;            // which is an invocation
    for (const TxnId txn : history_.txns(session)) {
      const auto [begin, end] = span(txn);
      const std::optional<std::int64_t> id = history_.txn_label(txn);
      const bool unknown = history_.status(txn) == Status::unknown;
      if (!id || (!unknown && end.mark != *id)) return false;
      if (begin.mark == kNoTime && (begin.time != kNoTime || open)) {
        return false;
      }
      open = unknown && begin.mark == *id;
      if (begin.mark != kNoTime) {
        if (begin.mark <= last) return false;
        last = begin.mark;
        any_begin = true;
        lines.push_back({.txn = txn,
                         .type = Type::invoke,
                         .last = open,
                         .index = number(begin.mark),
                         .time = number_or_nil(begin.time)});
      }
      if (open) continue;
      if (*id <= last) return false;
      last = *id;
      lines.push_back({.txn = txn,
                       .type = completion(history_.status(txn)),
                       .index = number(*id),
                       .time = number_or_nil(end.time)});
    }
  }
  if (counts_events() && !any_begin) return false;
  std::sort(lines.begin(), lines.end(), [](const OpLine& a, const OpLine& b) {
    return a.index.value < b.index.value;
  });
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].index.value == lines[i - 1].index.value) return false;
  }
  for (OpLine& line : lines) {
    if (counts_events()) line.time = {};
    if (!write(line)) break;
  }
  return true;
}

OpLine Layout::own_line(TxnId txn, bool begin) const {
  const Span when = span(txn);
  const Moment& moment = begin ? when.begin : when.end;
  OpLine line{.txn = txn,
              .type = begin ? Type::invoke : completion(history_.status(txn)),
              .last = !begin};
  if (counts_events()) {
    line.at = number_or_nil(moment.mark);
  } else {
    line.time = number_or_nil(moment.time);
    // Where all times are nil, only this tells that there is a clock.
    if (history_.has_ticks() || !any_time_) {
      line.at = number_or_nil(moment.mark);
    }
  }
  if (!begin && history_.has_ids()) {
    line.id = number_or_nil(history_.txn_label(txn).value_or(kNoTxnLabel));
  }
  return line;
}

bool Layout::timely(const Write& write) const {
  struct Event {
    std::int64_t time;
    std::int64_t mark;
    bool later;  // among equals: begins that nothing holds back come first
    std::uint32_t rank;
    bool end;
    TxnId txn;
    auto key() const { return std::tuple(time, mark); }
    auto order() const { return std::tuple(time, mark, later, rank, end); }
  };
  std::vector<Event> events;
  for (const SessionId session : history_.sessions()) {
    const std::size_t first = events.size();
    const auto add = [&](TxnId txn, bool end, const Moment& moment) {
      const std::int64_t time = counts_events() ? moment.mark : moment.time;
      events.push_back({time, counts_events() ? 0 : moment.mark, true,
                        rank_[txn.v], end, txn});
    };
    for (const TxnId txn : history_.txns(session)) {
      const auto [begin, end] = span(txn);
      if (begin.known()) add(txn, false, begin);
      add(txn, true, end);
    }
    // What has no time waits for the session's next line, or for the end.
    for (std::size_t i = events.size(); i-- > first;) {
      Event& event = events[i];
      if (event.time != kNoTime) continue;
      const bool is_last = i + 1 == events.size();
      event.time = is_last ? INT64_MAX : events[i + 1].time;
      event.mark = is_last ? INT64_MAX : events[i + 1].mark;
    }
    for (std::size_t i = first; i < events.size(); ++i) {
      if (i != first && events[i].key() < events[i - 1].key()) return false;
      events[i].later = events[i].end ||
                        (i != first && events[i].key() == events[i - 1].key());
    }
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return a.order() < b.order();
  });
  for (const Event& event : events) {
    if (!write(own_line(event.txn, !event.end))) break;
  }
  return true;
}

void Layout::pairwise(const Write& write) const {
  for (const std::uint32_t txn : history_.input_order()) {
    if (span(TxnId(txn)).begin.known() && !write(own_line(TxnId(txn), true))) {
      return;
    }
    if (!write(own_line(TxnId(txn), false))) return;
  }
}

}  // namespace

void order_jepsen(const History& history,
                  const std::function<bool(const OpLine&)>& line) {
  const Layout layout(history);
  if (layout.timeless(line) || layout.plain(line) || layout.timely(line)) {
    return;
  }
  layout.pairwise(line);
}

}  // namespace awdit
