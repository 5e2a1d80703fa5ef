// Happens-before as vector clocks, for a block of sessions at a time. Private
// to check/.
//
// The clock of a transaction says, for each session of the block, how many of
// the session's transactions happen before it. Since a session is a chain, that
// is the whole of happens-before: t2 hb t3 iff position(t2) < clock(t3)[s2].
//
// Layout: sessions are taken in *stripes* of one cache line; a stripe is a
// table [rank] -> line. Joining two clocks is then one vector maximum on a
// line, stripes are computed by different threads without synchronisation, and
// an entry is as narrow as the longest session allows (8, 16 or 32 bits; signed
// above 8, because that is the maximum every x86-64 has).
// Clocks are made for spans of ranks only; within a span they know nothing of
// what lies before it. A path of happens-before ascends in rank, so between two
// transactions of a span they say all there is to say.
// Memory: 64 bytes per transaction of a span and stripe; the caller chooses how
// many stripes are alive at once. The budget of the index is kept. Cost:
// O((transactions + reads) * sessions). Source: the paper's ComputeHB; a join
// includes the writer itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/array.h"
#include "base/budget.h"
#include "base/parallel.h"
#include "check/index.h"
#include "check/rank_span.h"

namespace awdit {

template <typename Entry>
class ClockBlock {
 public:
  static constexpr std::uint32_t kLanes = 64 / sizeof(Entry);
  struct alignas(64) Line {
    Entry lane[kLanes];
  };

  // Clocks for sessions [first, last) of an index with acyclic so u wr, for the
  // transactions of these spans, which do not overlap.
  ClockBlock(const Index& index, std::uint32_t first, std::uint32_t last,
             const std::vector<RankSpan>& spans)
      : index_(index), first_(first) {
    const std::size_t stripes = (last - first + kLanes - 1) / kLanes;
    lines_.reserve(stripes);
    for (std::size_t i = 0; i < stripes; ++i) {
      lines_.emplace_back(index.order().size());
    }
    parallel_for(stripes * spans.size(), index.threads(),
                 [&](std::size_t task, unsigned) {
                   fill(task % stripes, spans[task / stripes]);
                 });
  }

  // [rank * kLanes] -> how many transactions of `session` happen before the
  // transaction at `rank`, as far as its span knows. REQUIRES: it is in a span.
  const Entry* of_session(std::uint32_t session) const {
    const std::uint32_t lane = session - first_;
    return &lines_[lane / kLanes].data()->lane[lane % kLanes];
  }

  // Asks for the clock of the transaction at `rank`, in time, if that is worth
  // it for so many sessions. (Inlined, or g++ takes it to do nothing.)
  [[gnu::always_inline]] void expect(std::uint32_t rank,
                                     std::size_t sessions) const {
    if (sessions * 2 < lines_.size()) return;
    for (const Array<Line>& stripe : lines_) {
      __builtin_prefetch(stripe.data() + rank);
    }
  }

 private:
  void fill(std::size_t stripe, RankSpan span) {
    const History& history = index_.history();
    const auto order = index_.order();
    const auto ranks = index_.ranks();
    const auto sources = index_.sources();
    const auto txn_ops = history.txn_ops();
    const auto sessions = history.txn_sessions();
    const auto session_first = history.session_first_txn();
    const std::uint32_t init = history.init_txn().v;
    const std::uint32_t low =
        first_ + static_cast<std::uint32_t>(stripe) * kLanes;
    Line* lines = lines_[stripe].data();
    Pace pace(index_.budget());
    for (std::size_t rank = span.first; rank <= span.last; ++rank) {
      const std::uint32_t txn = order[rank];
      if (txn == init) {
        lines[rank] = Line{};
        continue;
      }
      pace.step(1 + txn_ops[txn].size());
      // The lines this transaction's successors in the order will need.
      if (rank + kAhead <= span.last) {
        const std::uint32_t coming = order[rank + kAhead];
        for (std::uint32_t op = txn_ops[coming].begin; op < txn_ops[coming].end;
             ++op) {
          if (sources[op] < init) {
            __builtin_prefetch(&lines[ranks[sources[op]]]);
          }
        }
      }
      std::uint32_t before = index_.previous(txn);
      if (before != kNoId && ranks[before] < span.first) before = kNoId;
      Line line = before == kNoId ? Line{} : lines[ranks[before]];
      const auto raise = [&](std::uint32_t other) {
        const std::uint32_t lane = sessions[other] - low;
        if (lane < kLanes) {
          const auto count =
              static_cast<Entry>(other - session_first[sessions[other]] + 1);
          line.lane[lane] = std::max(line.lane[lane], count);
        }
      };
      if (before != kNoId) raise(before);
      std::uint32_t last = kNoId;
      for (std::uint32_t op = txn_ops[txn].begin; op < txn_ops[txn].end; ++op) {
        const std::uint32_t source = sources[op];
        if (source >= init || source == last) continue;
        last = source;
        if (ranks[source] < span.first) continue;
        const Line& other = lines[ranks[source]];
        for (std::uint32_t i = 0; i < kLanes; ++i) {
          line.lane[i] = std::max(line.lane[i], other.lane[i]);
        }
        raise(source);
      }
      lines[rank] = line;
    }
  }

  static constexpr std::size_t kAhead = 6;

  const Index& index_;
  std::uint32_t first_;
  std::vector<Array<Line>> lines_;  // [stripe][rank]
};

}  // namespace awdit
