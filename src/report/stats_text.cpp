// Statistics for people: what a history holds, how it is distributed, and what
// a clean verdict would be worth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/columns.h"
#include "base/counted.h"
#include "base/utf8.h"
#include "report/layout.h"
#include "report/rows.h"

namespace awdit {
namespace {

constexpr std::size_t kBar = 40;  // columns of the longest one, at most

// "12 %", "0.4 %"; "" of nothing.
std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "0 %";
  const double share =
      100 * static_cast<double>(part) / static_cast<double>(whole);
  if (part != 0 && share < 0.05) return "under 0.1 %";
  return share < 9.95 && share != std::floor(share)
             ? fmt::format("{:.1f} %", share)
             : fmt::format("{:.0f} %", share);
}

// A bar for `part`, where `whole` is as long as a bar gets. What is not nothing
// is seen.
std::string bar(std::uint64_t part, std::uint64_t whole, std::size_t most,
                bool blocks) {
  if (part == 0) return "";
  const double length = static_cast<double>(part) / static_cast<double>(whole) *
                        static_cast<double>(most);
  if (!blocks) {
    const double rounded = std::max(1.0, std::round(length));
    return std::string(static_cast<std::size_t>(rounded), '#');
  }
  const auto eighths =
      static_cast<std::size_t>(std::max(1.0, std::round(length * 8)));
  static constexpr std::string_view kParts[] = {"",  "▏", "▎", "▍",
                                                "▌", "▋", "▊", "▉"};
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  text += kParts[eighths % 8];
  return text;
}

// Within what the history holds.
std::string bucket_label(const Spread& spread, std::size_t bucket) {
  const std::uint64_t first = std::max(bucket_first(bucket), spread.least);
  const std::uint64_t last = std::min(bucket_last(bucket), spread.most);
  if (first == last) return grouped(first);
  return grouped(first) + "-" + grouped(last);
}

void append_spread(std::string_view title, const Spread& spread,
                   const Screen& to) {
  if (spread.count == 0) return;
  to.blank();
  if (spread.least == spread.most) {
    to.line(fmt::format("{}: always {}", title, grouped(spread.most)), 2);
    return;
  }
  to.line(fmt::format("{}: {} to {}, median {}", title, grouped(spread.least),
                      grouped(spread.most), grouped(spread.median)),
          2);
  std::size_t from = 0;
  while (spread.buckets[from] == 0) ++from;
  if (from + 1 == spread.buckets.size()) return;  // one bar says nothing
  std::size_t label_width = 0, count_width = 0;
  std::uint64_t highest = 0;
  for (std::size_t i = from; i < spread.buckets.size(); ++i) {
    label_width = std::max(label_width, bucket_label(spread, i).size());
    count_width = std::max(count_width, grouped(spread.buckets[i]).size());
    highest = std::max(highest, spread.buckets[i]);
  }
  std::size_t most = kBar;
  if (const std::size_t taken = 6 + label_width + count_width;
      to.width > taken) {
    most = std::min(most, to.width - taken);
  }
  for (std::size_t i = from; i < spread.buckets.size(); ++i) {
    const std::string bars = bar(spread.buckets[i], highest, most, to.frames);
    to.line(fmt::format("  {:>{}}  {:>{}}{}{}", bucket_label(spread, i),
                        label_width, grouped(spread.buckets[i]), count_width,
                        bars.empty() ? "" : "  ", bars),
            4);
  }
}

// The table at the top: a name, a number, a remark.
class Table {
 public:
  void add(std::string name, std::string number, std::string remark = "") {
    rows_.push_back({std::move(name), std::move(number), std::move(remark)});
  }
  void append_to(const Screen& to) const {
    std::size_t name = 0, number = 0;
    for (const Row& row : rows_) {
      name = std::max(name, row.name.size());
      number = std::max(number, row.number.size());
    }
    for (const Row& row : rows_) {
      std::string line =
          fmt::format("  {:<{}}  {:>{}}", row.name, name, row.number, number);
      const std::size_t indent = columns(line) + 2;
      if (!row.remark.empty()) line += "  " + row.remark;
      to.line(line, indent);
    }
  }

 private:
  struct Row {
    std::string name, number, remark;
  };
  std::vector<Row> rows_;
};

std::string outcomes(const Stats& stats) {
  std::string text = fmt::format("{} committed", grouped(stats.committed));
  if (stats.aborted != 0) {
    text += fmt::format(", {} aborted", grouped(stats.aborted));
  }
  if (stats.unknown != 0) {
    text += fmt::format(", {} of unknown outcome", grouped(stats.unknown));
  }
  return text;
}

// How long, in words that fit the clock.
std::string duration(const TimeSpan& time) {
  const auto length = static_cast<std::uint64_t>(time.last) -
                      static_cast<std::uint64_t>(time.first);
  const auto seconds = [](double value) {
    if (value < 0.001) return fmt::format("{:.3g} us", value * 1e6);
    if (value < 1) return fmt::format("{:.3g} ms", value * 1e3);
    if (value < 600) return fmt::format("{:.3g} s", value);
    return fmt::format(
        "{} min", grouped(static_cast<std::uint64_t>(std::round(value / 60))));
  };
  switch (time.clock) {
    case Clock::nanoseconds:
      return seconds(static_cast<double>(length) * 1e-9);
    case Clock::milliseconds:
      return seconds(static_cast<double>(length) * 1e-3);
    default:
      return grouped(length);
  }
}

void append_counts(const History& history, const Stats& stats,
                   const Screen& to) {
  Table table;
  table.add("sessions", grouped(history.num_sessions()));
  table.add("transactions", grouped(history.num_txns()), outcomes(stats));
  table.add("operations", grouped(history.num_ops()),
            fmt::format("{} reads ({}), {} {}", grouped(stats.reads),
                        percent(stats.reads, history.num_ops()),
                        grouped(stats.writes),
                        history.has_lists() ? "appends" : "writes"));
  table.add("keys", grouped(history.num_keys()),
            history.num_keys() < 2
                ? ""
                : fmt::format("the most used one has {} of the operations",
                              percent(stats.key_ops.most, history.num_ops())));
  table.add("initial reads", grouped(stats.initial_reads),
            stats.reads == 0
                ? ""
                : fmt::format("{} of the reads found the initial state",
                              percent(stats.initial_reads, stats.reads)));
  table.add("repeated writes", grouped(stats.repeated_writes),
            stats.repeated_writes == 0
                ? "no key gets a value twice"
                : "of a value that the key got before: check refuses this");
  if (stats.time) {
    table.add("time", duration(*stats.time),
              fmt::format("in {}, of {}", name(stats.time->clock),
                          counted(stats.time->transactions, "transaction")));
  }
  table.append_to(to);
}

// "a fractured read"
std::string one(Kind kind) { return "a" + count(1, kind).substr(1); }

void append_chances(const Power& power, const Screen& to) {
  to.blank();
  to.line(
      "Test power: chances to see a violation, and how rare one must be to "
      "hide",
      2);
  std::size_t kind_width = 0, count_width = 0;
  for (const Chance& chance : chances()) {
    kind_width = std::max(kind_width, count(2, chance.kind).size() - 2);
    count_width = std::max(count_width, grouped(power.*chance.count).size());
  }
  bool bounded = false;
  for (const Chance& chance : chances()) {
    const std::uint64_t seen = power.*chance.count;
    const Judgement judgement = judge(seen);
    std::string line = fmt::format(
        "  {}  {:>{}}  {}{}{}",
        padded(count(2, chance.kind).substr(2), kind_width), grouped(seen),
        count_width, judgement < Judgement::fair ? to.bad : to.good,
        name(judgement), to.off);
    if (seen >= 6) {
      bounded = true;
      line += std::string(8 - name(judgement).size(), ' ');
      line += fmt::format("1 in {}", grouped(seen / 3));
    }
    to.line(line, 4);
  }
  if (!bounded) return;
  to.line(
      "If every level holds, violations are rarer than that (95 % "
      "confidence).");
}

void append_power(const Stats& stats, const Screen& to) {
  if (!stats.power) {
    to.blank();
    to.prose("Test power: unknown, because reads cannot be attributed: " +
             visible(stats.power.error().message) + ".");
    return;
  }
  append_chances(*stats.power, to);
  for (const Chance& chance : chances()) {
    const std::uint64_t seen = (*stats.power).*chance.count;
    if (judge(seen) >= Judgement::fair) continue;
    to.blank();
    to.prose(fmt::format(
        "There {} to see {}: a clean verdict says {} about that. "
        "{}.",
        seen == 0   ? "was no chance"
        : seen == 1 ? "was only 1 chance"
                    : "were only " + grouped(seen) + " chances",
        one(chance.kind), seen == 0 ? "nothing" : "little", chance.advice));
  }
}

}  // namespace

void write_stats_text(const Subject& subject, const Stats& stats,
                      const ReportOptions& options, Sink& sink) {
  const History& history = subject.history;
  const Screen to(sink, options.colour, options.blocks, options.width);
  to.line(fmt::format("{}  {}", visible(subject.path), subject.format), 4);
  to.blank();
  append_counts(history, stats, to);
  append_spread("Operations per transaction", stats.txn_ops, to);
  append_spread("Operations per key", stats.key_ops, to);
  append_spread("Transactions per session", stats.session_txns, to);
  if (stats.list_sizes) {
    append_spread("Elements per list read", *stats.list_sizes, to);
  }
  append_power(stats, to);
}

}  // namespace awdit
