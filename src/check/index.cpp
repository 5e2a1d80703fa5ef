#include "check/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "check/commit_graph.h"
#include "check/findings.h"
#include "check/guess.h"
#include "check/lists.h"
#include "check/order.h"
#include "check/repeated_reads.h"
#include "check/source_finder.h"
#include "check/source_walk.h"
#include "check/stale_reads.h"

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

}  // namespace

std::vector<std::size_t> Index::cut(std::size_t bytes_per_key) const {
  const std::uint64_t ops = history_->num_ops();
  const std::uint64_t most =
      ops * 16 / (bytes_per_key * (std::uint64_t{history_->num_keys()} + 1));
  const std::uint64_t parts =
      std::clamp<std::uint64_t>(std::min(most, ops / grain_), 1, threads_);
  const auto txn_ops = history_->txn_ops();
  std::vector<std::size_t> cuts = {1};  // behind init
  std::uint64_t seen = 0;
  for (std::size_t rank = 1; cuts.size() < parts && rank < order_.size();) {
    seen += txn_ops[order_[rank++]].size();
    if (seen >= ops * cuts.size() / parts) cuts.push_back(rank);
  }
  while (cuts.size() <= parts) cuts.push_back(order_.size());
  return cuts;
}

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

// Whether the order contains the versions of lists.
bool Index::versions_ascend() const {
  bool ascend = true;
  versions_.for_each_pair(
      [&](std::uint32_t older, std::uint32_t newer, std::uint32_t) {
        ascend &= rank_[older] < rank_[newer];
      });
  return ascend;
}

void Index::keep(StaleReads stale) {
  few_are_stale_ = stale.count <= StaleReads::kFew;
  few_stale_ = few_are_stale_ ? std::move(stale.few) : std::vector<StaleRead>();
}

// Makes the order one that contains reads-from and the versions of lists, or at
// least the former, if there is one.
void Index::put_sources_first() {
  std::vector<std::uint32_t> order = topological_order(*this, versions_);
  if (order.empty() && !versions_.keys.empty()) {
    order = topological_order(*this, {});
  }
  acyclic_ = !order.empty();
  if (acyclic_) {
    set_order(order);
    keep(find_stale_reads(*this));
  }
  versions_agree_ = versions_ascend();
}

// Those of what is known whatever the level.
void Index::find_cycles() {
  causality_cycles_.clear();
  dependency_cycles_.clear();
  if (!acyclic_) causality_cycles_ = find_causality_cycles(*this);
  if (!versions_agree_) dependency_cycles_ = find_dependency_cycles(*this);
}

// The general way: attributes reads and settles what is live.
Outcome Index::find_sources(std::uint32_t unknown) {
  const History& history = *history_;
  SourceFinder finder(*this);
  finder.run();
  if (finder.duplicate) return duplicate_write(history, *finder.duplicate);
  findings_ = std::move(finder.findings);
  const bool lists = history.has_lists();
  if (unknown == 0 && !lists) return std::nullopt;

  std::optional<ListFinder> list_finder;
  if (lists) list_finder.emplace(*this).read_lists(finder.reads_of_unknown);
  promote(finder.reads_of_unknown, live_, promoted_);
  for (const TxnId txn : promoted_) {
    for (const OpId op : history.ops(txn)) {
      reads_ += history.is_write(op) ? 0 : 1;
    }
  }
  dropped_ = unknown - static_cast<std::uint32_t>(promoted_.size());
  if (const auto pair = promoted_duplicate(*this, finder.suspects)) {
    return duplicate_write(history, *pair);
  }
  std::erase_if(findings_, [&](const Violation& finding) {
    return !live(history.txn_of(read_of(finding)).v);
  });
  if (lists) findings_ = list_finder->judge();
  return std::nullopt;
}

Result<Index> Index::build(const History& history, unsigned threads,
                           std::uint32_t grain) {
  Index index;
  index.history_ = &history;
  index.threads_ = std::max(threads, 1u);
  index.grain_ = std::max(grain, 1u);
  const std::uint32_t txns = history.num_txns();
  index.source_ = Array<std::uint32_t>(history.num_ops());
  index.txn_stale_ = Array<std::uint8_t>(txns, 0);
  index.key_stale_ = Array<std::uint8_t>(history.num_keys(), 0);
  index.live_ = Array<std::uint8_t>(txns);
  std::uint32_t unknown = 0;
  for (std::uint32_t t = 0; t < txns; ++t) {
    const Status status = history.status(TxnId(t));
    index.live_[t] = status == Status::committed ? 1 : 0;
    unknown += status == Status::unknown ? 1 : 0;
  }

  // The short way, for histories that allow it; it also tells what is stale.
  StaleReads stale;
  bool walked = false;
  if (SourceWalk::suits(history)) {
    index.set_order(promising_order(index));
    SourceWalk walk(index);
    walked = walk.run();
    if (walked) {
      stale = walk.stale;
      index.findings_ = std::move(walk.findings);
      index.non_repeatable_ = std::move(walk.non_repeatable);
    }
  }
  if (!walked) {
    if (Outcome failed = index.find_sources(unknown)) return std::move(*failed);
    index.set_order(promising_order(index));
    stale = find_stale_reads(index);
    index.non_repeatable_ =
        find_non_repeatable(index, index.order().subspan(1));
  }

  const bool disordered = stale.disordered;
  index.keep(std::move(stale));

  index.previous_ = Array<std::uint32_t>(txns, kNoId);
  for (const SessionId session : history.sessions()) {
    std::uint32_t last = kNoId;
    for (const TxnId t : history.txns(session)) {
      index.previous_[t.v] = last;
      if (index.live(t.v)) last = t.v;
    }
  }

  if (history.has_lists()) index.versions_ = find_list_versions(index);
  if (disordered || !index.versions_ascend()) index.put_sources_first();
  index.write_sets_ = WriteSets(history);
  index.whole_is_cyclic_ = !index.acyclic_ || !index.versions_agree_;
  index.find_cycles();
  return index;
}

}  // namespace awdit
