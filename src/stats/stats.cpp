// Plain passes over the columns. Only repeated values need more: the writes are
// grouped by key, and the values of each key sorted.
#include "stats/stats.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/array.h"
#include "base/parallel.h"
#include "stats/spread.h"

namespace awdit {
namespace {

void count_outcomes(const History& history, Stats& stats) {
  for (const TxnId txn : history.txns()) {
    switch (history.status(txn)) {
      case Status::committed:
        ++stats.committed;
        break;
      case Status::aborted:
        ++stats.aborted;
        break;
      case Status::unknown:
        ++stats.unknown;
        break;
    }
  }
}

void count_operations(const History& history, Stats& stats) {
  // A key to which somebody writes the initial value has no initial state of
  // that kind.
  std::vector<std::uint8_t> written(history.num_keys(), 0);
  const auto words = history.op_words();
  for (std::uint32_t op = 0; op < history.num_ops(); ++op) {
    if ((words[op] & 1) == 0) continue;
    ++stats.writes;
    if (history.is_initial(history.value(OpId(op))))
      written[words[op] >> 1] = 1;
  }
  stats.reads = history.num_ops() - stats.writes;
  for (std::uint32_t op = 0; op < history.num_ops(); ++op) {
    if ((words[op] & 1) == 0 && written[words[op] >> 1] == 0 &&
        history.is_initial(history.value(OpId(op)))) {
      ++stats.initial_reads;
    }
  }
}

void measure(const History& history, Stats& stats) {
  std::vector<std::uint32_t> values(history.num_txns());
  for (const TxnId txn : history.txns()) {
    values[txn.v] = history.ops(txn).size();
  }
  stats.txn_ops = spread_of(values);
  values.assign(history.num_keys(), 0);
  for (const std::uint32_t word : history.op_words()) ++values[word >> 1];
  stats.key_ops = spread_of(values);
  values.clear();
  for (const SessionId session : history.sessions()) {
    values.push_back(history.txns(session).size());
  }
  stats.session_txns = spread_of(values);
  if (!history.has_lists()) return;
  values.clear();
  for (std::uint32_t op = 0; op < history.num_ops(); ++op) {
    if (history.is_write(OpId(op))) continue;
    values.push_back(static_cast<std::uint32_t>(history.list_size(OpId(op))));
  }
  stats.list_sizes = spread_of(values);
}

void span_time(const History& history, Stats& stats) {
  TimeSpan span{.clock = history.clock(),
                .first = std::numeric_limits<std::int64_t>::max(),
                .last = std::numeric_limits<std::int64_t>::min()};
  for (const TxnId txn : history.txns()) {
    const std::optional<History::Times> times = history.times(txn);
    if (!times) continue;
    ++span.transactions;
    const std::int64_t shift =
        history.clock_domains().shift(history.clock_domain(txn));
    for (std::int64_t time : {times->begin, times->end}) {
      // Clocks of which nobody knows how they differ are taken as they are.
      if (time == kNoTime || __builtin_add_overflow(time, shift, &time)) {
        continue;
      }
      span.first = std::min(span.first, time);
      span.last = std::max(span.last, time);
    }
  }
  if (span.transactions != 0) stats.time = span;
}

std::uint64_t count_repeated(const History& history, unsigned threads) {
  // The writes of key k are at [first[k], first[k + 1]).
  const auto words = history.op_words();
  Array<std::uint32_t> first(std::size_t{history.num_keys()} + 1, 0);
  const auto for_each_write = [&](auto&& call) {
    for (const std::uint32_t txn : history.input_order()) {
      if (history.status(TxnId(txn)) == Status::aborted) continue;
      for (const OpId op : history.ops(TxnId(txn))) {
        if (history.is_write(op)) call(op.v, words[op.v] >> 1);
      }
    }
  };
  for_each_write([&](std::uint32_t, std::uint32_t key) { ++first[key + 1]; });
  for (std::uint32_t key = 0; key < history.num_keys(); ++key) {
    first[key + 1] += first[key];
  }
  Array<Atom> values(first[history.num_keys()]);
  {
    Array<std::uint32_t> cursor(history.num_keys());
    std::copy(first.begin(), first.end() - 1, cursor.begin());
    for_each_write([&](std::uint32_t op, std::uint32_t key) {
      values[cursor[key]++] = history.value(OpId(op));
    });
  }
  constexpr std::uint32_t kBlock = 4096;  // keys
  const std::size_t blocks =
      (std::size_t{history.num_keys()} + kBlock - 1) / kBlock;
  std::vector<std::uint64_t> repeated(blocks, 0);
  parallel_for(blocks, threads, [&](std::size_t block, unsigned) {
    const auto begin = static_cast<std::uint32_t>(block) * kBlock;
    const std::uint32_t end = std::min(history.num_keys(), begin + kBlock);
    for (std::uint32_t key = begin; key < end; ++key) {
      Atom* const from = values.begin() + first[key];
      Atom* const to = values.begin() + first[key + 1];
      std::sort(from, to, [](const Atom& a, const Atom& b) {
        return std::tuple(a.kind, a.bits) < std::tuple(b.kind, b.bits);
      });
      const Atom* const distinct = std::unique(from, to);
      repeated[block] += static_cast<std::uint64_t>(to - distinct);
    }
  });
  std::uint64_t total = 0;
  for (const std::uint64_t part : repeated) total += part;
  return total;
}

}  // namespace

Stats statistics(const History& history, unsigned threads) {
  Stats stats;
  count_outcomes(history, stats);
  count_operations(history, stats);
  measure(history, stats);
  span_time(history, stats);
  stats.repeated_writes = count_repeated(history, threads);
  stats.power = power(history, threads);
  return stats;
}

}  // namespace awdit
