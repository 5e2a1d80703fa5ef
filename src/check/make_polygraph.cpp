// Chains are sessions. Where sessions are short (without session order each has
// one transaction), clocks over them would be as wide as the history is long;
// then a session is hung behind another one from whose last transaction it
// reads, which is an order, too.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "check/dependencies.h"
#include "check/end_times.h"

namespace awdit {
namespace {

class Maker {
 public:
  Maker(const Index& index, std::span<const std::uint32_t> txns,
        Outside outside)
      : index_(index),
        history_(index.history()),
        txns_(txns),
        outside_(outside) {
    if (txns_.size() * 4 < history_.num_txns()) {
      for (std::uint32_t i = 0; i < txns_.size(); ++i) few_[txns_[i]] = i;
    } else {
      local_.assign(history_.num_txns(), kNoId);
      for (std::uint32_t i = 0; i < txns_.size(); ++i) local_[txns_[i]] = i;
    }
    graph_.txns = static_cast<std::uint32_t>(txns_.size());
  }

  Polygraph make(std::span<const std::uint32_t> chains) {
    if (chains.empty()) {
      make_chains();
    } else {
      take_chains(chains);
    }
    make_versions();
    make_reads();
    graph_.complete();
    if (history_.has_lists()) add_lists();
    if (history_.clock() != Clock::none) add_times();
    return std::move(graph_);
  }

 private:
  std::uint32_t local(std::uint32_t txn) const {
    if (!local_.empty()) return txn < local_.size() ? local_[txn] : kNoId;
    const auto found = few_.find(txn);
    return found == few_.end() ? kNoId : found->second;
  }

  void make_chains() {
    const auto sessions = history_.txn_sessions();
    graph_.chain.resize(graph_.txns);
    graph_.position.resize(graph_.txns);
    graph_.previous.assign(graph_.txns, kNoId);
    graph_.linked.assign(graph_.txns, 0);
    // [session] -> the last transaction so far, and the last of all
    std::unordered_map<std::uint32_t, std::uint32_t> last, end;
    for (std::uint32_t i = 0; i < graph_.txns; ++i) end[sessions[txns_[i]]] = i;
    const bool link = end.size() > 64 && end.size() > graph_.txns / 8;
    std::vector<std::uint32_t> tail;  // [chain]
    for (std::uint32_t i = 0; i < graph_.txns; ++i) {
      const std::uint32_t session = sessions[txns_[i]];
      const auto [at, first] = last.try_emplace(session, i);
      std::uint32_t previous = first ? kNoId : at->second;
      at->second = i;
      if (first && link) {
        for (const OpId op : history_.ops(TxnId(txns_[i]))) {
          const std::uint32_t source = index_.sources()[op.v];
          const std::uint32_t from =
              source < history_.num_txns() ? local(source) : kNoId;
          if (from == kNoId || tail[graph_.chain[from]] != from ||
              end.at(sessions[source]) != from) {
            continue;
          }
          previous = from;
          graph_.linked[i] = 1;
          break;
        }
      }
      graph_.previous[i] = previous;
      if (previous == kNoId) {
        graph_.chain[i] = graph_.chains++;
        graph_.position[i] = 0;
        tail.push_back(i);
      } else {
        graph_.chain[i] = graph_.chain[previous];
        graph_.position[i] = graph_.position[previous] + 1;
        tail[graph_.chain[i]] = i;
      }
    }
  }

  void take_chains(std::span<const std::uint32_t> chains) {
    graph_.chain.assign(chains.begin(), chains.end());
    graph_.position.resize(graph_.txns);
    graph_.previous.resize(graph_.txns);
    graph_.linked.assign(graph_.txns, 0);
    graph_.chains = 1 + *std::max_element(chains.begin(), chains.end());
    std::vector<std::uint32_t> tail(graph_.chains, kNoId);  // [chain]
    for (std::uint32_t i = 0; i < graph_.txns; ++i) {
      const std::uint32_t before = std::exchange(tail[chains[i]], i);
      graph_.previous[i] = before;
      graph_.position[i] = before == kNoId ? 0 : graph_.position[before] + 1;
    }
  }

  void make_versions() {
    // Keys that are written, numbered as the history does.
    key_.assign(history_.num_keys(), kNoId);
    std::vector<std::uint32_t> count(history_.num_keys(), 0);
    const auto words = history_.op_words();
    std::vector<std::uint32_t> written(history_.num_keys(), kNoId);
    const auto for_each_write = [&](std::uint32_t i, auto&& visit) {
      for (const OpId op : history_.ops(TxnId(txns_[i]))) {
        const std::uint32_t word = words[op.v];
        if ((word & 1) == 0 || written[word >> 1] == i) continue;
        written[word >> 1] = i;
        visit(word >> 1);
      }
    };
    for (std::uint32_t i = 0; i < graph_.txns; ++i) {
      for_each_write(i, [&](std::uint32_t key) { ++count[key]; });
    }
    graph_.key_first.push_back(0);
    for (std::uint32_t key = 0; key < history_.num_keys(); ++key) {
      if (count[key] == 0) continue;
      key_[key] = graph_.keys++;
      graph_.key_name.push_back(key);
      graph_.key_first.push_back(graph_.key_first.back() + count[key]);
    }
    graph_.writer.resize(graph_.key_first.back());
    std::vector<std::uint32_t> cursor(graph_.key_first.begin(),
                                      graph_.key_first.end() - 1);
    std::ranges::fill(written, kNoId);
    for (const std::uint32_t i : by_chain()) {
      for_each_write(i, [&](std::uint32_t key) {
        graph_.writer[cursor[key_[key]]++] = i;
      });
    }
  }

  std::vector<std::uint32_t> by_chain() const {
    std::vector<std::uint32_t> first(std::size_t{graph_.chains} + 1, 0);
    for (const std::uint32_t chain : graph_.chain) ++first[chain + 1];
    for (std::size_t c = 1; c < first.size(); ++c) first[c] += first[c - 1];
    std::vector<std::uint32_t> list(graph_.txns);
    for (std::uint32_t i = 0; i < graph_.txns; ++i) {
      list[first[graph_.chain[i]]++] = i;
    }
    return list;
  }

  void make_reads() {
    const std::uint32_t init = history_.init_txn().v;
    const auto words = history_.op_words();
    const auto sources = index_.sources();
    std::vector<std::uint32_t> read(graph_.keys, kNoId);
    graph_.read_first.reserve(std::size_t{graph_.txns} + 1);
    graph_.read_first.push_back(0);
    for (std::uint32_t i = 0; i < graph_.txns; ++i) {
      for (const OpId op : history_.ops(TxnId(txns_[i]))) {
        const std::uint32_t source = sources[op.v];
        if (!is_external(source)) continue;
        const std::uint32_t key = key_[words[op.v] >> 1];
        if (key == kNoId || read[key] == i) continue;
        std::uint32_t version = Polygraph::kInitial;
        if (source != init) {
          const std::uint32_t from = local(source);
          if (from == kNoId && outside_ == Outside::nobody) continue;
          if (from != kNoId) version = graph_.version_of(from, key);
        }
        read[key] = i;
        graph_.reads.push_back({key, version});
      }
      graph_.read_first.push_back(
          static_cast<std::uint32_t>(graph_.reads.size()));
    }
  }

  void add_lists() {
    for (const Shown& pair : shown_in_lists(index_, txns_)) {
      const std::uint32_t key = key_[pair.key];
      graph_.known.push_back({graph_.version_of(local(pair.older), key),
                              graph_.version_of(local(pair.newer), key),
                              local(pair.reader)});
    }
  }

  void add_times() {
    const EndTimes times(history_, txns_);
    graph_.ended = times.ended();
    graph_.clock_first = times.first();
    const std::size_t clocks = graph_.clocks();
    graph_.ended_before.resize(graph_.txns * clocks);
    for (std::uint32_t i = 0; i < graph_.txns; ++i) {
      for (std::size_t clock = 0; clock < clocks; ++clock) {
        graph_.ended_before[i * clocks + clock] =
            times.ended_before(txns_[i], clock);
      }
    }
  }

  const Index& index_;
  const History& history_;
  const std::span<const std::uint32_t> txns_;
  const Outside outside_;
  std::vector<std::uint32_t> local_;  // [txn], or
  std::unordered_map<std::uint32_t, std::uint32_t> few_;
  std::vector<std::uint32_t> key_;  // [key of the history] -> key
  Polygraph graph_;
};

}  // namespace

Polygraph make_polygraph(const Index& index,
                         std::span<const std::uint32_t> txns,
                         std::span<const std::uint32_t> chains,
                         Outside outside) {
  return Maker(index, txns, outside).make(chains);
}

}  // namespace awdit
