// Causal Consistency: a read returns the newest value among all that the reader
// depends on, directly or not.
//
//   t1 wr_x t3,  t2 writes x,  t2 hb t3,  t1 != t2   =>   t2 co t1
//
// Idea: for a read of x and a session s, only the last writer of x in s that
// happens before the reader counts (check/latest_seen.h).
// Happens-before must exist: with a causality cycle the level is violated
// already and nothing more is inferred. If no read is stale, clocks are not
// even made; and where sessions are no chains to speak of (without session
// order each has one transaction), what a reader has seen is searched
// (check/seen_by_search.h). Cost: O(n * k) for k sessions, within the limits of
// the level.
// Source: the paper's algorithm CheckCC.
#include "check/commit_graph.h"
#include "check/engines.h"
#include "check/latest_seen.h"
#include "check/seen_by_search.h"

namespace awdit {
namespace {

// Where sessions are chains. What so u wr orders already needs no edge.
void infer_by_clocks(const Index& index, Inferences& inferences,
                     const auto& wants, const auto& least) {
  for_each_latest_seen(index, Newer::than_source, wants, least,
                       [&](unsigned worker, std::uint32_t key,
                           const Event& read, std::uint32_t t2) {
                         const std::uint32_t t1 = read.read_from();
                         if (t2 == t1) return;
                         inferences.add(worker, {t2, t1, read.txn, key});
                       });
}

// Where each has but a few transactions.
void infer_by_search(const Index& index, Inferences& inferences,
                     const auto& wants, const auto& least) {
  const std::uint32_t init = index.history().init_txn().v;
  const bool stale_only = inferences.stale_only();
  for_each_seen(index, wants, least,
                [&](unsigned worker, std::uint32_t key, const Event& read,
                    std::uint32_t t2, const auto& is_before) {
                  const std::uint32_t t1 = read.read_from();
                  if (!stale_only && t1 != init && is_before(t2, t1)) return;
                  inferences.add(worker, {t2, t1, read.txn, key});
                });
}

void infer(const Index& index, Inferences& inferences) {
  const auto ranks = index.ranks();
  const bool stale_only = inferences.stale_only();
  const auto wants = [&](const Event& read) {
    return stale_only ? read.is_stale() && index.suspects().txns[read.txn] != 0
                      : inferences.wants(read.read_from());
  };
  // A writer below the source is no contradiction, one below the window of the
  // source is in another.
  const auto least = [&](const Event& read) {
    const std::uint32_t rank = ranks[read.read_from()];
    return stale_only ? rank : inferences.window(rank).first;
  };
  const History& history = index.history();
  const bool short_sessions = history.num_sessions() > 64 &&
                              history.num_sessions() > history.num_txns() / 8;
  if (short_sessions || !history.session_order()) {
    infer_by_search(index, inferences, wants, least);
  } else {
    infer_by_clocks(index, inferences, wants, least);
  }
}

void show(const Index& index, OpFinder& finder, Edge& edge) {
  if (show_by_read(index, finder, edge)) return;
  edge.seen = happens_before_path(index, finder, edge.from.v, edge.reader.v);
}

}  // namespace

const Rule kCausalRule = {.infer = infer,
                          .show = show,
                          .needs_events = true,
                          .needs_acyclic = true,
                          .sample = sample_direct,
                          .needs_all_events = true};

}  // namespace awdit
