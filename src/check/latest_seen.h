// For a read of a key and a session: the last transaction of that session that
// writes the key and happens before the reader. Private to check/.
//
// Idea: the clocks (check/session_clocks.h) say how far into each session a
// reader has seen. Key by key, with the writers of the key grouped by session
// and the reads by session too, the last writer seen only moves forward, so
// that a key costs its reads times the sessions that write it. Clocks are made
// for a block of sessions at a time, so memory is bounded whatever their
// number. Time is not: with as many sessions as transactions it grows with
// their square, up to the budget of the index. Cost: O(n * k) for k sessions.
// Source: the paper's algorithm CheckCC; going key by key instead of session by
// session saves its k * keys pointers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/budget.h"
#include "check/index.h"
#include "check/session_clocks.h"

namespace awdit {

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

struct LatestSeenScratch {
  LatestSeenScratch(std::uint32_t sessions, const Budget& budget)
      : writers(sessions), readers(sessions), pace(budget) {}
  BySession writers;
  BySession readers;
  std::vector<std::uint32_t> pointer;  // [group of writers]
  Pace pace;
};

// Of one key, for the sessions [first, last) of the block.
template <typename Entry, typename WantsRead, typename Visit>
void visit_latest_seen(const Index& index, const ClockBlock<Entry>& clocks,
                       std::uint32_t first, std::uint32_t last, unsigned worker,
                       std::uint32_t key, std::span<const Event> events,
                       LatestSeenScratch& scratch, WantsRead& wants_read,
                       Visit& visit) {
  const History& history = index.history();
  const auto sessions = history.txn_sessions();
  const auto session_first = history.session_first_txn();
  const auto ranks = index.ranks();
  scratch.writers.clear();
  scratch.readers.clear();
  scratch.pace.step(1 + events.size());
  for (const Event& event : events) {
    const std::uint32_t session = sessions[event.txn];
    if (event.is_write()) {
      if (session >= first && session < last) {
        scratch.writers.add(session, event);
      }
    } else if (wants_read(event)) {
      scratch.readers.add(session, event);
    }
  }
  if (scratch.writers.groups.empty() || scratch.readers.groups.empty()) return;
  scratch.writers.arrange();
  scratch.readers.arrange();
  const auto& groups = scratch.writers.groups;
  const auto& writers = scratch.writers.items;
  scratch.pointer.resize(groups.size());
  for (const BySession::Group& reading : scratch.readers.groups) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      scratch.pointer[g] = groups[g].begin;
    }
    for (std::uint32_t r = reading.begin; r < reading.end; ++r) {
      const Event read = scratch.readers.items[r];
      const std::uint32_t reader_rank = ranks[read.txn];
      scratch.pace.step(groups.size());
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::uint32_t session = groups[g].session;
        // The first transaction of the session that the reader has not seen.
        const std::uint32_t unseen =
            session_first[session] + clocks.at(reader_rank, session);
        std::uint32_t& pointer = scratch.pointer[g];
        while (pointer < groups[g].end && writers[pointer].txn < unseen) {
          ++pointer;
        }
        if (pointer == groups[g].begin) continue;
        visit(worker, key, read, writers[pointer - 1].txn, clocks);
      }
    }
  }
}

template <typename Entry, typename WantsRead, typename Visit>
void for_each_latest_seen_with(const Index& index,
                               const std::vector<RankSpan>& spans,
                               WantsRead& wants_read, Visit& visit) {
  // Clock memory per block, besides what one stripe needs anyway.
  constexpr std::size_t kClockBytes = std::size_t{256} << 20;
  const std::uint32_t sessions = index.history().num_sessions();
  std::size_t ranks = 1;
  for (const RankSpan& span : spans) ranks += span.last - span.first + 1;
  // A stripe for each thread, if there is the memory.
  const std::uint64_t bytes = std::uint64_t{ranks} * 64;  // of a stripe
  index.budget().need(bytes);
  const std::uint64_t wanted =
      std::max<std::uint64_t>(index.threads() * bytes, kClockBytes);
  const std::size_t stripes = std::max<std::size_t>(
      1, std::min(wanted, index.budget().bytes() / 2) / bytes);
  const std::size_t step =
      std::min<std::size_t>(sessions, stripes * ClockBlock<Entry>::kLanes);
  std::vector<LatestSeenScratch> scratch(
      index.threads(), LatestSeenScratch(sessions, index.budget()));
  for (std::uint32_t first = 0; first < sessions;) {
    const auto last = static_cast<std::uint32_t>(
        std::min<std::size_t>(sessions, first + step));
    const ClockBlock<Entry> clocks(index, first, last, spans);
    index.for_each_key_with_events(
        [&](unsigned worker, std::uint32_t key, std::span<const Event> events) {
          visit_latest_seen(index, clocks, first, last, worker, key, events,
                            scratch[worker], wants_read, visit);
        });
    first = last;
  }
}

// The spans of rank between the wanted reads and the least rank that a writer
// of interest to them has: least(read).
template <typename WantsRead, typename Least>
std::vector<RankSpan> spans_of_reads(const Index& index, WantsRead& wants_read,
                                     Least& least) {
  struct PerWorker {
    std::vector<RankSpan> spans;
    std::size_t compact_at;
    Pace pace;
  };
  const auto ranks = index.ranks();
  std::vector<PerWorker> workers(index.threads(),
                                 PerWorker{{}, 1 << 14, Pace(index.budget())});
  index.for_each_key_with_events([&](unsigned worker, std::uint32_t,
                                     std::span<const Event> events) {
    PerWorker& mine = workers[worker];
    mine.pace.step(1 + events.size());
    for (const Event& event : events) {
      if (event.is_write() || !wants_read(event)) continue;
      mine.spans.push_back({least(event), ranks[event.txn]});
      if (mine.spans.size() < mine.compact_at) continue;
      merge_spans(mine.spans);
      mine.compact_at = std::max<std::size_t>(1 << 14, mine.spans.size() * 2);
    }
  });
  std::vector<RankSpan> all;
  for (const PerWorker& mine : workers) {
    all.insert(all.end(), mine.spans.begin(), mine.spans.end());
  }
  merge_spans(all);
  return all;
}

// Calls visit(worker, key, read, writer, clocks) for each key with events,
// wanted read of it (an Event) and session that has such a writer, from several
// threads. Of the writers only those matter whose rank is at least least(read);
// whether others are seen is left open.
// REQUIRES: so u wr is acyclic.
template <typename WantsRead, typename Least, typename Visit>
void for_each_latest_seen(const Index& index, WantsRead&& wants_read,
                          Least&& least, Visit&& visit) {
  const std::vector<RankSpan> spans = spans_of_reads(index, wants_read, least);
  if (spans.empty()) return;
  const auto first_txn = index.history().session_first_txn();
  std::uint32_t longest = 0;
  for (std::size_t s = 0; s + 1 < first_txn.size(); ++s) {
    longest = std::max(longest, first_txn[s + 1] - first_txn[s]);
  }
  if (longest <= std::numeric_limits<std::uint8_t>::max()) {
    for_each_latest_seen_with<std::uint8_t>(index, spans, wants_read, visit);
  } else if (longest <= std::numeric_limits<std::int16_t>::max()) {
    for_each_latest_seen_with<std::int16_t>(index, spans, wants_read, visit);
  } else {
    for_each_latest_seen_with<std::int32_t>(index, spans, wants_read, visit);
  }
}

}  // namespace awdit
