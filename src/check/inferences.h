// What the axiom of a level infers, and where it contradicts the guessed order.
// Private to check/. See check/commit_graph.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/index.h"
#include "check/op_finder.h"
#include "check/session_clocks.h"

namespace awdit {

// Numbers of hubs have this bit, those of transactions do not.
inline constexpr std::uint32_t kHub = 0x8000'0000u;

// t2 = from must come before t1 = to: `reader` reads `key` from t1 and has seen
// t2, which also writes it. If `from` is a hub, that is so of all who are in
// it.
struct Inference {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t reader;
  std::uint32_t key;
};

// What one session contributes through hubs, numbered from 0 in it. Those who
// are in a hub are transactions of windows, or again hubs.
struct HubBundle {
  struct Member {
    std::uint32_t who, hub;
  };
  std::uint32_t session;
  std::uint32_t hubs = 0;
  std::vector<Member> members;
  std::vector<Inference> inferences;  // from hubs
};

// Takes the inferences of a level, from several threads.
class Inferences {
 public:
  // `one_in`: a power of two. Of so many transactions the first pass takes one.
  explicit Inferences(const Index& index, std::uint32_t one_in = 1);

  // Only what involves stale reads is wanted: the first pass.
  bool stale_only() const { return window_of_.empty(); }
  bool samples(std::uint32_t txn) const { return (txn & (one_in_ - 1)) == 0; }
  // Of the first pass, how many contradict the guess, and how many ranks each
  // of these spans, all together.
  std::uint64_t contradictions() const;
  std::uint64_t contradicted_ranks() const;
  // Instead of the first pass: everything is one window.
  void take_whole() { is_whole_ = true; }
  bool is_whole() const { return is_whole_; }
  // Second pass: whether an inference "... before txn" can matter.
  bool wants(std::uint32_t txn) const {
    return stale_only() || (in_window_[txn / 64] >> (txn % 64) & 1) != 0;
  }
  void add(unsigned worker, const Inference& inference) {
    if (is_whole_) {
      workers_[worker].edges.push_back(inference);
      return;
    }
    const std::uint32_t from = rank_[inference.from];
    const std::uint32_t to = rank_[inference.to];
    if (stale_only()) {
      if (from > to) contradict(worker, to, from);
    } else if (window_of_[from] != kNoId &&
               window_of_[from] == window_of_[to]) {
      workers_[worker].edges.push_back(inference);
    }
  }

  // REQUIRES: the second pass; one bundle at most for each session.
  void add(unsigned worker, HubBundle bundle) {
    workers_[worker].bundles.push_back(std::move(bundle));
  }

  // Ends the first pass. Returns false if nothing contradicts the guess.
  bool find_windows();
  // Of the second pass, without hubs, in no order: visit(inference).
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Worker& worker : workers_) {
      for (const Inference& inference : worker.edges) visit(inference);
    }
  }
  // Ends the second pass: all inferences, sorted by from and to.
  std::vector<Inference> take_all();
  // Filled by that: who is in the hubs, which are numbered from 0.
  const std::vector<HubBundle::Member>& members() const { return members_; }
  std::uint32_t hubs() const { return hubs_; }
  // One of them per pair (from, to).
  std::vector<Inference> one_per_pair(const std::vector<Inference>& all) const;

  using Window = RankSpan;
  const std::vector<Window>& windows() const { return windows_; }
  // REQUIRES: the second pass, and wants() the transaction at `rank`.
  const Window& window(std::uint32_t rank) const {
    return windows_[window_of_[rank]];
  }
  // [key] -> whether a transaction in a window writes it.
  std::vector<std::uint8_t> keys_written() const;
  // The same in the first pass: those with stale reads; all, if the order does
  // not contain reads-from.
  std::vector<std::uint8_t> keys_in_question() const;

 private:
  void contradict(unsigned worker, std::uint32_t low, std::uint32_t high);

  const Index& index_;
  const std::uint32_t one_in_;
  bool is_whole_ = false;
  std::span<const std::uint32_t> rank_;
  struct Worker {
    std::vector<Window> spans;
    std::size_t compact_at = 1 << 16;
    std::uint64_t contradictions = 0, ranks = 0;
    std::vector<Inference> edges;
    std::vector<HubBundle> bundles;
  };
  void take_bundles(std::vector<Inference>& all);

  std::vector<Worker> workers_;
  std::vector<HubBundle::Member> members_;
  std::uint32_t hubs_ = 0;
  std::vector<Window> windows_;
  std::vector<std::uint32_t> window_of_;  // [rank]; empty in the first pass
  std::vector<std::uint64_t> in_window_;  // [txn / 64] -> bits, likewise
};

// The inference rule of a level.
struct Rule {
  // Adds every inference (a saturated set); those of readers without stale
  // reads may be left out if inferences.stale_only().
  void (*infer)(const Index& index, Inferences& inferences);
  // Fills Edge::seen of an inferred edge: how edge.reader saw edge.from.
  // edge.read, reader and key are set.
  void (*show)(const Index& index, OpFinder& finder, Edge& edge);
  // `infer` looks at events: of keys with stale reads in the first pass, of
  // keys that are written in windows in the second.
  bool needs_events = false;
  // It means nothing if so u wr has a cycle.
  bool needs_acyclic = false;
  // Part of what the first pass of `infer` infers, but without events, of the
  // readers that inferences.samples(); nullptr: it is not worth asking.
  void (*sample)(const Index& index, Inferences& inferences) = nullptr;
  // `infer` looks at the events of all keys if inferences.is_whole(); otherwise
  // it does without any then.
  bool needs_all_events = false;
};

// The windows spanned by reads that come before their source in the order; by
// versions of lists that it has the other way round.
void add_reads_against_order(const Index& index, std::vector<RankSpan>& spans);
void add_versions_against_order(const Index& index,
                                std::vector<RankSpan>& spans);

}  // namespace awdit
