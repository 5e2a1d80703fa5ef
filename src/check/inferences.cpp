#include "check/inferences.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/budget.h"

namespace awdit {

void add_reads_against_order(const Index& index, std::vector<RankSpan>& spans) {
  const auto ranks = index.ranks();
  const auto sources = index.sources();
  const std::uint32_t init = index.history().init_txn().v;
  for (std::uint32_t rank = 1; rank < index.order().size(); ++rank) {
    for (const OpId op : index.history().ops(TxnId(index.order()[rank]))) {
      const std::uint32_t source = sources[op.v];
      if (source < init && ranks[source] > rank) {
        spans.push_back({rank, ranks[source]});
      }
    }
  }
}

void add_versions_against_order(const Index& index,
                                std::vector<RankSpan>& spans) {
  const auto ranks = index.ranks();
  index.versions().for_each_pair(
      [&](std::uint32_t older, std::uint32_t newer, std::uint32_t) {
        if (ranks[older] > ranks[newer]) {
          spans.push_back({ranks[newer], ranks[older]});
        }
      });
}

Inferences::Inferences(const Index& index, std::uint32_t one_in)
    : index_(index),
      one_in_(one_in),
      rank_(index.ranks()),
      workers_(index.threads()) {}

void Inferences::contradict(unsigned worker, std::uint32_t low,
                            std::uint32_t high) {
  Worker& mine = workers_[worker];
  ++mine.contradictions;
  mine.ranks += high - low;
  mine.spans.push_back({low, high});
  if (mine.spans.size() >= mine.compact_at) {
    merge_spans(mine.spans);
    mine.compact_at = std::max<std::size_t>(1 << 16, mine.spans.size() * 2);
  }
}

std::uint64_t Inferences::contradictions() const {
  std::uint64_t sum = 0;
  for (const Worker& worker : workers_) sum += worker.contradictions;
  return sum;
}

std::uint64_t Inferences::contradicted_ranks() const {
  std::uint64_t sum = 0;
  for (const Worker& worker : workers_) sum += worker.ranks;
  return sum;
}

bool Inferences::find_windows() {
  if (is_whole_) {
    windows_ = {{0, static_cast<std::uint32_t>(index_.order().size()) - 1}};
  }
  for (Worker& worker : workers_) {
    windows_.insert(windows_.end(), worker.spans.begin(), worker.spans.end());
    worker.spans = {};
  }
  if (!index_.acyclic()) add_reads_against_order(index_, windows_);
  if (!index_.versions_agree()) add_versions_against_order(index_, windows_);
  merge_spans(windows_);
  if (windows_.empty()) return false;
  window_of_.assign(index_.order().size(), kNoId);
  in_window_.assign(index_.history().num_txns() / 64 + 1, 0);
  for (std::uint32_t w = 0; w < windows_.size(); ++w) {
    for (std::uint32_t r = windows_[w].first; r <= windows_[w].last; ++r) {
      window_of_[r] = w;
      const std::uint32_t txn = index_.order()[r];
      in_window_[txn / 64] |= std::uint64_t{1} << (txn % 64);
    }
  }
  return true;
}

std::vector<std::uint8_t> Inferences::keys_written() const {
  const History& history = index_.history();
  std::vector<std::uint8_t> keys(history.num_keys(), 0);
  for (const Window& window : windows_) {
    for (std::uint32_t r = window.first; r <= window.last; ++r) {
      const TxnId txn(index_.order()[r]);
      if (history.is_init(txn)) continue;
      for (const OpId op : history.ops(txn)) {
        if (history.is_write(op)) keys[history.key(op).v] = 1;
      }
    }
  }
  return keys;
}

std::vector<std::uint8_t> Inferences::keys_in_question() const {
  if (!stale_only()) return keys_written();
  if (!index_.acyclic()) {
    return std::vector<std::uint8_t>(index_.history().num_keys(), 1);
  }
  const Array<std::uint8_t>& keys = index_.suspects().keys;
  return {keys.begin(), keys.end()};
}

// By session, whichever worker had it.
void Inferences::take_bundles(std::vector<Inference>& all) {
  std::vector<HubBundle> bundles;
  for (Worker& worker : workers_) {
    std::move(worker.bundles.begin(), worker.bundles.end(),
              std::back_inserter(bundles));
    worker.bundles = {};
  }
  std::sort(bundles.begin(), bundles.end(),
            [](const HubBundle& a, const HubBundle& b) {
              return a.session < b.session;
            });
  for (HubBundle& bundle : bundles) {
    for (HubBundle::Member& member : bundle.members) {
      if ((member.who & kHub) != 0) member.who += hubs_;
      member.hub += hubs_;
      members_.push_back(member);
    }
    for (Inference& inference : bundle.inferences) {
      inference.from += hubs_;
      all.push_back(inference);
    }
    hubs_ += bundle.hubs;
  }
}

std::vector<Inference> Inferences::take_all() {
  std::vector<Inference> all;
  for (Worker& worker : workers_) {
    all.insert(all.end(), worker.edges.begin(), worker.edges.end());
    worker.edges = {};
  }
  take_bundles(all);
  // By rank, of which there is no need to ask at each comparison. Hubs, which
  // have none, come behind all others.
  const auto order = index_.order();
  const auto rename = [&](std::span<const std::uint32_t> name) {
    for (Inference& e : all) {
      if ((e.from & kHub) == 0) e.from = name[e.from];
      e.to = name[e.to];
    }
  };
  rename(rank_);
  Pace pace(index_.budget());
  std::sort(all.begin(), all.end(),
            [&](const Inference& a, const Inference& b) {
              pace.step();
              return std::tie(a.from, a.to, a.reader, a.key) <
                     std::tie(b.from, b.to, b.reader, b.key);
            });
  rename(order);
  return all;
}

std::vector<Inference> Inferences::one_per_pair(
    const std::vector<Inference>& all) const {
  std::vector<Inference> edges;
  std::unique_copy(all.begin(), all.end(), std::back_inserter(edges),
                   [](const Inference& a, const Inference& b) {
                     return a.from == b.from && a.to == b.to;
                   });
  return edges;
}

}  // namespace awdit
