#include "check/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "check/commit_graph.h"
#include "check/event_writer.h"
#include "check/lists.h"
#include "check/order.h"
#include "check/source_finder.h"

namespace awdit {
namespace {

Error duplicate_write(const History& history, SourceFinder::Pair pair) {
  OpId first(pair.first);
  OpId second(pair.second);
  if (history.place(first).line > history.place(second).line) {
    std::swap(first, second);
  }
  const std::uint32_t line = history.place(second).line;
  const auto by = [&](OpId op) {
    const std::string name = history.txn_name(history.txn_of(op));
    if (line == 0) return fmt::format("by {}", name);
    return fmt::format("by {} (line {})", name, history.place(op).line);
  };
  const std::string key = history.key_label(history.key(first));
  const std::string value = history.to_string(history.value(first));
  const bool lists = history.has_lists();
  return Error{
      .where = line == 0 ? "" : fmt::format("{}:1", line),
      .message = fmt::format("key {} gets the {} {} twice: {} and {}", key,
                             lists ? "element" : "value", value, by(first),
                             by(second)),
      .excerpt = "",
      .hint = fmt::format(
          "Reads of {}{}{} cannot be attributed, so no verdict would be sound. "
          "Record unique {} per key.",
          lists ? value : key, lists ? " in " : "=", lists ? key : value,
          lists ? "elements" : "values")};
}

// Unknown transactions that a live one read from become live, to a fixed point.
void promote(std::vector<std::pair<std::uint32_t, std::uint32_t>>& reads,
             Array<std::uint8_t>& live, std::vector<TxnId>& promoted) {
  std::sort(reads.begin(), reads.end());
  std::vector<std::uint32_t> work;
  const auto visit = [&](std::uint32_t reader) {
    auto at = std::lower_bound(reads.begin(), reads.end(),
                               std::pair(reader, std::uint32_t{0}));
    for (; at != reads.end() && at->first == reader; ++at) {
      if (live[at->second] != 0) continue;
      live[at->second] = 1;
      promoted.push_back(TxnId(at->second));
      work.push_back(at->second);
    }
  };
  std::vector<std::uint32_t> readers;
  for (const auto& [reader, writer] : reads) {
    if (live[reader] != 0 && (readers.empty() || readers.back() != reader)) {
      readers.push_back(reader);
    }
  }
  for (const std::uint32_t reader : readers) visit(reader);
  while (!work.empty()) {
    const std::uint32_t reader = work.back();
    work.pop_back();
    visit(reader);
  }
  std::sort(promoted.begin(), promoted.end());
}

// Two live writes of one value among those suspected of it, the second as early
// in the input as can be.
std::optional<SourceFinder::Pair> promoted_duplicate(
    const Index& index, const std::vector<SourceFinder::Pair>& suspects) {
  const History& history = index.history();
  struct Write {
    std::uint32_t key;
    Atom value;
    std::uint32_t op;
  };
  std::vector<Write> writes;
  for (const SourceFinder::Pair& pair : suspects) {
    for (const std::uint32_t op : {pair.first, pair.second}) {
      if (index.live(history.txn_of(OpId(op)).v)) {
        writes.push_back(
            {history.key(OpId(op)).v, history.value(OpId(op)), op});
      }
    }
  }
  const auto line = [&](std::uint32_t op) {
    return std::pair(history.place(OpId(op)).line, op);
  };
  std::sort(writes.begin(), writes.end(), [&](const Write& a, const Write& b) {
    return std::tuple(a.key, a.value.kind, a.value.bits, line(a.op)) <
           std::tuple(b.key, b.value.kind, b.value.bits, line(b.op));
  });
  std::optional<SourceFinder::Pair> found;
  for (std::size_t i = 1; i < writes.size(); ++i) {
    const Write& a = writes[i - 1];
    const Write& b = writes[i];
    if (a.key != b.key || !(a.value == b.value) || a.op == b.op) continue;
    if (!found || line(b.op) < line(found->second)) found = {a.op, b.op};
  }
  return found;
}

struct EventTuple {
  std::uint32_t word;
  std::uint32_t txn;
  std::uint32_t op;
  std::uint32_t source;
};

}  // namespace

void Index::set_order(std::span<const std::uint32_t> walk) {
  const std::uint32_t txns = history_->num_txns();
  std::uint32_t live_count = 0;
  for (const std::uint8_t is_live : live_) live_count += is_live;
  order_ = Array<std::uint32_t>(live_count + 1);
  rank_ = Array<std::uint32_t>(txns + 1, kNoId);
  order_[0] = txns;
  rank_[txns] = 0;
  std::uint32_t rank = 1;
  for (const std::uint32_t txn : walk) {
    if (live_[txn] == 0) continue;
    rank_[txn] = rank;
    order_[rank++] = txn;
  }
}

// Writes the events of all keys in the present order, and with them everything
// that depends on the order. Returns whether some read precedes its source.
bool Index::sweep_events() {
  const History& history = *history_;
  events_ = Array<Event>(history.num_ops());
  event_count_ = Array<std::uint32_t>(history.num_keys(), 0);
  key_stale_ = Array<std::uint8_t>(history.num_keys(), 0);
  std::fill(txn_stale_.begin(), txn_stale_.end(), 0);
  std::vector<EventWriter> writers(threads_, EventWriter(*this, true));
  for_each_key<EventTuple>(
      history, layout_, {order_.data() + 1, order_.size() - 1}, threads_,
      [&](std::uint32_t txn, std::uint32_t op, std::uint32_t word,
          EventTuple& tuple) {
        tuple = {word, txn, op, source_[op]};
      },
      [&](unsigned worker, std::uint32_t key, std::span<EventTuple> tuples) {
        EventWriter& writer = writers[worker];
        writer.begin(key);
        for (const EventTuple& tuple : tuples) {
          if (tuple.source == kIsWrite) {
            writer.write(tuple.txn);
          } else if (is_external(tuple.source)) {
            writer.read(tuple.txn, tuple.source, tuple.op);
          }
        }
        writer.end();
      });
  non_repeatable_.clear();
  any_stale_ = false;
  bool disordered = false;
  for (EventWriter& writer : writers) {
    std::move(writer.non_repeatable.begin(), writer.non_repeatable.end(),
              std::back_inserter(non_repeatable_));
    any_stale_ |= writer.any_stale;
    disordered |= writer.disordered;
  }
  std::sort(
      non_repeatable_.begin(), non_repeatable_.end(),
      [](const Violation& a, const Violation& b) { return a.read < b.read; });
  return disordered;
}

void Index::require_events() {
  if (events_.empty()) sweep_events();
}

Result<Index> Index::build(const History& history, unsigned threads) {
  Index index;
  index.history_ = &history;
  index.threads_ = std::max(threads, 1u);
  const std::uint32_t txns = history.num_txns();
  index.layout_ = make_key_layout(history, index.threads_);
  index.source_ = Array<std::uint32_t>(history.num_ops());
  index.txn_stale_ = Array<std::uint8_t>(txns, 0);
  index.live_ = Array<std::uint8_t>(txns);
  std::uint32_t unknown = 0;
  for (std::uint32_t t = 0; t < txns; ++t) {
    const Status status = history.status(TxnId(t));
    index.live_[t] = status == Status::committed ? 1 : 0;
    unknown += status == Status::unknown ? 1 : 0;
  }

  // Without unknown outcomes everything is settled in one go; but a list may
  // yet have to be set aside for what stands before its last element.
  const bool lists = history.has_lists();
  const bool settled = unknown == 0 && !lists;
  if (settled) index.set_order(history.input_order());
  SourceFinder finder(index, settled);
  finder.run();
  if (finder.duplicate) return duplicate_write(history, *finder.duplicate);
  bool disordered = finder.disordered;
  index.findings_ = std::move(finder.findings);
  index.non_repeatable_ = std::move(finder.non_repeatable);

  if (!settled) {
    std::optional<ListFinder> list_finder;
    if (lists) {
      list_finder.emplace(index).read_elements(finder.reads_of_unknown);
    }
    promote(finder.reads_of_unknown, index.live_, index.promoted_);
    for (const TxnId txn : index.promoted_) {
      for (const OpId op : history.ops(txn)) {
        index.reads_ += history.is_write(op) ? 0 : 1;
      }
    }
    index.dropped_ =
        unknown - static_cast<std::uint32_t>(index.promoted_.size());
    if (const auto pair = promoted_duplicate(index, finder.suspects)) {
      return duplicate_write(history, *pair);
    }
    std::erase_if(index.findings_, [&](const Violation& finding) {
      return !index.live(history.txn_of(finding.read).v);
    });
    if (lists) list_finder->judge(index.findings_);
    index.set_order(history.input_order());
    disordered = index.sweep_events();
  }

  index.previous_ = Array<std::uint32_t>(txns, kNoId);
  for (const SessionId session : history.sessions()) {
    std::uint32_t last = kNoId;
    for (const TxnId t : history.txns(session)) {
      index.previous_[t.v] = last;
      if (index.live(t.v)) last = t.v;
    }
  }

  if (disordered) {
    const std::vector<std::uint32_t> order = topological_order(index);
    index.acyclic_ = !order.empty();
    if (index.acyclic_) {
      index.set_order(order);
      index.sweep_events();
    }
  }
  index.write_sets_ = WriteSets(history);
  if (!index.acyclic_) index.causality_cycles_ = find_causality_cycles(index);
  return index;
}

}  // namespace awdit
