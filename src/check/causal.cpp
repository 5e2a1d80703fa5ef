// Causal Consistency: a read returns the newest value among all that the reader
// depends on, directly or not.
//
//   t1 wr_x t3,  t2 writes x,  t2 hb t3,  t1 != t2   =>   t2 co t1
//
// Idea: for a read of x and a session s, only the last writer of x in s that
// happens before the reader counts; the clocks (check/clock_block.h) say how
// far into s the reader has seen. Key by key, with the writers of the key
// grouped by session and the reads by session too, that last writer only moves
// forward, so that a key costs its reads times the sessions that write it.
// Happens-before must exist: with a causality cycle the level is violated
// already and nothing more is inferred.
// Clocks are made for a block of sessions at a time, so memory is bounded
// whatever the number of sessions; if no read is stale they are not made at
// all. Cost: O(n * k) for k sessions. Source: the paper's algorithm CheckCC;
// going key by key instead of session by session saves its k * keys pointers.
#include <algorithm>
#include <limits>

#include "check/clock_block.h"
#include "check/commit_graph.h"
#include "check/levels.h"

namespace awdit {
namespace {

// Clock memory per block, besides what one stripe needs anyway.
constexpr std::size_t kClockBytes = std::size_t{256} << 20;

// Transactions grouped by session, in session order within a group.
class BySession {
 public:
  struct Group {
    std::uint32_t session;
    std::uint32_t begin;  // in items
    std::uint32_t end;
  };

  explicit BySession(std::uint32_t sessions) : slot_(sessions, kNoId) {}

  void clear() {
    for (const Group& group : groups) slot_[group.session] = kNoId;
    groups.clear();
    pending_.clear();
  }
  // Items must come in an order that agrees with session order.
  void add(std::uint32_t session, Event event) {
    if (slot_[session] == kNoId) {
      slot_[session] = static_cast<std::uint32_t>(groups.size());
      groups.push_back({session, 0, 0});
    }
    ++groups[slot_[session]].end;  // counts, until arrange()
    pending_.push_back({slot_[session], event});
  }
  void arrange() {
    std::uint32_t at = 0;
    for (Group& group : groups) {
      const std::uint32_t count = group.end;
      group.begin = group.end = at;
      at += count;
    }
    items.resize(pending_.size());
    for (const Pending& entry : pending_) {
      items[groups[entry.group].end++] = entry.event;
    }
  }

  std::vector<Group> groups;
  std::vector<Event> items;

 private:
  struct Pending {
    std::uint32_t group;
    Event event;
  };
  std::vector<std::uint32_t> slot_;  // [session] -> group
  std::vector<Pending> pending_;
};

struct Scratch {
  explicit Scratch(std::uint32_t sessions)
      : writers(sessions), readers(sessions) {}
  BySession writers;
  BySession readers;
  std::vector<std::uint32_t> pointer;  // [group of writers]
};

template <typename Entry>
class Inferrer {
 public:
  Inferrer(const Index& index, Inferences& inferences,
           const ClockBlock<Entry>& clocks, std::uint32_t first,
           std::uint32_t last)
      : index_(index),
        history_(index.history()),
        inferences_(inferences),
        clocks_(clocks),
        first_(first),
        last_(last) {}

  void infer(unsigned worker, std::uint32_t key, Scratch& scratch) {
    const bool stale_only = inferences_.stale_only();
    if (stale_only && !index_.key_stale(key)) return;
    const auto sessions = history_.txn_sessions();
    const auto session_first = history_.session_first_txn();
    const auto ranks = index_.ranks();
    scratch.writers.clear();
    scratch.readers.clear();
    for (const Event& event : index_.events(key)) {
      const std::uint32_t session = sessions[event.txn];
      if (event.is_write()) {
        if (session >= first_ && session < last_) {
          scratch.writers.add(session, event);
        }
      } else if (stale_only ? event.is_stale()
                            : inferences_.wants(event.read_from())) {
        scratch.readers.add(session, event);
      }
    }
    if (scratch.writers.groups.empty() || scratch.readers.groups.empty()) {
      return;
    }
    scratch.writers.arrange();
    scratch.readers.arrange();
    const auto& groups = scratch.writers.groups;
    const auto& writers = scratch.writers.items;
    const std::uint32_t init = history_.init_txn().v;
    scratch.pointer.resize(groups.size());
    for (const BySession::Group& reading : scratch.readers.groups) {
      for (std::size_t g = 0; g < groups.size(); ++g) {
        scratch.pointer[g] = groups[g].begin;
      }
      for (std::uint32_t r = reading.begin; r < reading.end; ++r) {
        const Event read = scratch.readers.items[r];
        const std::uint32_t t1 = read.read_from();
        const std::uint32_t reader_rank = ranks[read.txn];
        for (std::size_t g = 0; g < groups.size(); ++g) {
          const std::uint32_t session = groups[g].session;
          // The first transaction of the session that the reader has not seen.
          const std::uint32_t unseen =
              session_first[session] + clocks_.at(reader_rank, session);
          std::uint32_t& pointer = scratch.pointer[g];
          while (pointer < groups[g].end && writers[pointer].txn < unseen) {
            ++pointer;
          }
          if (pointer == groups[g].begin) continue;
          const std::uint32_t t2 = writers[pointer - 1].txn;
          if (t2 == t1) continue;
          // What so u wr orders already needs no edge.
          if (!stale_only && t1 != init &&
              t2 - session_first[session] < clocks_.at(ranks[t1], session)) {
            continue;
          }
          inferences_.add(worker, {t2, t1, read.txn, key});
        }
      }
    }
  }

 private:
  const Index& index_;
  const History& history_;
  Inferences& inferences_;
  const ClockBlock<Entry>& clocks_;
  std::uint32_t first_;  // sessions of the block
  std::uint32_t last_;
};

template <typename Entry>
void infer_with(const Index& index, Inferences& inferences) {
  const History& history = index.history();
  const std::uint32_t sessions = history.num_sessions();
  const std::size_t stripes = std::max<std::size_t>(
      index.threads(), kClockBytes / (index.order().size() * 64));
  const std::size_t step =
      std::min<std::size_t>(sessions, stripes * ClockBlock<Entry>::kLanes);
  std::vector<Scratch> scratch(index.threads(), Scratch(sessions));
  const KeyLayout& layout = index.layout();
  for (std::uint32_t first = 0; first < sessions;) {
    const auto last = static_cast<std::uint32_t>(
        std::min<std::size_t>(sessions, first + step));
    const ClockBlock<Entry> clocks(index, first, last);
    Inferrer<Entry> inferrer(index, inferences, clocks, first, last);
    parallel_for(
        layout.partitions, index.threads(),
        [&](std::size_t partition, unsigned worker) {
          for (std::uint32_t key = layout.partition_first_key[partition];
               key < layout.partition_first_key[partition + 1]; ++key) {
            inferrer.infer(worker, key, scratch[worker]);
          }
        });
    first = last;
  }
}

void infer(const Index& index, Inferences& inferences) {
  if (!index.acyclic()) return;
  const auto first_txn = index.history().session_first_txn();
  std::uint32_t longest = 0;
  for (std::size_t s = 0; s + 1 < first_txn.size(); ++s) {
    longest = std::max(longest, first_txn[s + 1] - first_txn[s]);
  }
  if (longest <= std::numeric_limits<std::uint8_t>::max()) {
    infer_with<std::uint8_t>(index, inferences);
  } else if (longest <= std::numeric_limits<std::int16_t>::max()) {
    infer_with<std::int16_t>(index, inferences);
  } else {
    infer_with<std::int32_t>(index, inferences);
  }
}

void show(const Index& index, OpFinder& finder, Edge& edge) {
  edge.seen = happens_before_path(index, finder, edge.from.v, edge.reader.v);
}

constexpr Rule kRule = {.infer = infer, .show = show};

}  // namespace

void decide_causal(Index& index, const Options& options, LevelReport& report) {
  if (index.any_stale()) index.require_events();
  decide_by_rule(index, options, true, index.acyclic() ? &kRule : nullptr,
                 report);
}

}  // namespace awdit
