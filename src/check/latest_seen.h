// For a read of a key and a session: the last transaction of that session that
// writes the key and happens before the reader. Private to check/.
//
// Idea: the clocks (check/session_clocks.h) say how far into each session a
// reader has seen. Key by key, with the writers of the key grouped by session
// and the reads by session too, the last writer seen only moves forward, so
// that a key costs its reads times the sessions that write it. That is the
// innermost loop of all: it compares numbers of transactions in their session,
// and hardly ever jumps where it was not expected to. Clocks are made
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

// Of the writers that a reader has seen, which count: all, or only those that
// do not happen before the source.
enum class Newer : std::uint8_t { than_nothing, than_source };

// A read of the key whose writers are looked for.
struct SeekingRead {
  Event event;
  std::uint32_t reader, source;  // ranks
};

// The reads of a key grouped by session, in session order within a group.
class ReadsBySession {
 public:
  explicit ReadsBySession(std::uint32_t sessions) : slot_(sessions, kNoId) {}

  void clear() {
    for (const Group& group : groups) slot_[group.session] = kNoId;
    groups.clear();
    pending_.clear();
  }
  // They must come in an order that agrees with session order.
  void add(std::uint32_t session, const SeekingRead& read) {
    if (slot_[session] == kNoId) {
      slot_[session] = static_cast<std::uint32_t>(groups.size());
      groups.push_back({session, 0, 0});
    }
    ++groups[slot_[session]].end;  // counts, until arrange()
    pending_.push_back({slot_[session], read});
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
      items[groups[entry.group].end++] = entry.read;
    }
  }

  struct Group {
    std::uint32_t session;
    std::uint32_t begin, end;  // in items
  };
  std::vector<Group> groups;
  std::vector<SeekingRead> items;

 private:
  struct Pending {
    std::uint32_t group;
    SeekingRead read;
  };
  std::vector<std::uint32_t> slot_;  // [session] -> group
  std::vector<Pending> pending_;
};

// The writers of a key grouped by session, as their numbers in the session from
// 1, ascending: as narrow as the clocks they are held against. Before each
// group stands a 0, nobody, and behind it a number that no clock reaches.
template <typename Entry>
class WritersBySession {
 public:
  static constexpr Entry kNever = std::numeric_limits<Entry>::max();

  struct Group {
    std::uint32_t first_txn;  // of the session
    std::uint32_t count;
    const Entry* clock;  // [rank * kLanes] -> how much of it is seen
    Entry* next;         // the first writer that is not seen
  };

  explicit WritersBySession(std::uint32_t sessions) : slot_(sessions, kNoId) {}

  void clear() {
    for (const std::uint32_t session : sessions_) slot_[session] = kNoId;
    sessions_.clear();
    groups.clear();
    pending_.clear();
  }
  void add(std::uint32_t session, std::uint32_t first_txn, std::uint32_t txn) {
    if (slot_[session] == kNoId) {
      slot_[session] = static_cast<std::uint32_t>(groups.size());
      sessions_.push_back(session);
      groups.push_back({first_txn, 0, nullptr, nullptr});
    }
    ++groups[slot_[session]].count;
    pending_.push_back(
        {slot_[session], static_cast<Entry>(txn - first_txn + 1)});
  }
  void arrange(const ClockBlock<Entry>& clocks) {
    numbers_.resize(pending_.size() + 2 * groups.size());
    Entry* at = numbers_.data();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      groups[g].clock = clocks.of_session(sessions_[g]);
      *at++ = 0;
      groups[g].next = at;
      at += groups[g].count;
      *at++ = kNever;
    }
    for (const Pending& writer : pending_) {
      *groups[writer.group].next++ = writer.number;
    }
    rewind();
  }
  // Nobody has been seen.
  void rewind() {
    Entry* at = numbers_.data();
    for (Group& group : groups) {
      group.next = at + 1;
      at += group.count + 2;
    }
  }

  std::vector<Group> groups;

 private:
  struct Pending {
    std::uint32_t group;
    Entry number;
  };
  std::vector<std::uint32_t> slot_;      // [session] -> group
  std::vector<std::uint32_t> sessions_;  // [group]
  std::vector<Pending> pending_;
  std::vector<Entry> numbers_;
};

template <typename Entry>
struct LatestSeenScratch {
  LatestSeenScratch(std::uint32_t sessions, const Budget& budget)
      : writers(sessions), reads(sessions), pace(budget) {}
  WritersBySession<Entry> writers;
  ReadsBySession reads;
  Pace pace;
};

// Of one key, for the sessions [first, last) of the block.
template <typename Entry, typename WantsRead, typename Visit>
void visit_latest_seen(const Index& index, const ClockBlock<Entry>& clocks,
                       std::uint32_t first, std::uint32_t last, Newer newer,
                       unsigned worker, std::uint32_t key,
                       std::span<const Event> events,
                       LatestSeenScratch<Entry>& scratch, WantsRead& wants_read,
                       Visit& visit) {
  constexpr std::size_t kLanes = ClockBlock<Entry>::kLanes;
  constexpr std::uint32_t kAhead = 4;  // reads
  const std::uint32_t* const sessions = index.history().txn_sessions().data();
  const std::uint32_t* const first_txn =
      index.history().session_first_txn().data();
  const std::uint32_t* const ranks = index.ranks().data();
  auto& writers = scratch.writers;
  auto& reads = scratch.reads;
  writers.clear();
  reads.clear();
  scratch.pace.step(1 + events.size());
  for (const Event& event : events) {
    const std::uint32_t session = sessions[event.txn];
    if (event.is_write()) {
      if (session >= first && session < last) {
        writers.add(session, first_txn[session], event.txn);
      }
    } else if (wants_read(event)) {
      reads.add(session, {event, ranks[event.txn], ranks[event.read_from()]});
    }
  }
  if (writers.groups.empty() || reads.groups.empty()) return;
  writers.arrange(clocks);
  reads.arrange();
  const std::size_t all = writers.groups.size();
  for (const ReadsBySession::Group& reading : reads.groups) {
    writers.rewind();
    for (std::uint32_t r = reading.begin; r < reading.end; ++r) {
      if (r + kAhead < reads.items.size()) {
        clocks.expect(reads.items[r + kAhead].reader, all);
        clocks.expect(reads.items[r + kAhead].source, all);
      }
      const SeekingRead& read = reads.items[r];
      const std::size_t reader = read.reader * kLanes;
      const std::size_t source = read.source * kLanes;
      scratch.pace.step(all);
      for (auto& group : writers.groups) {
        const Entry seen = group.clock[reader];
        // Mostly a few steps, and nobody can guess how many: no jumps.
        Entry* next = group.next;
        next += *next <= seen ? 1 : 0;
        next += *next <= seen ? 1 : 0;
        next += *next <= seen ? 1 : 0;
        while (*next <= seen) ++next;
        group.next = next;
        const Entry number = next[-1];
        const Entry known =
            newer == Newer::than_nothing ? Entry{0} : group.clock[source];
        if (number <= known) continue;
        visit(worker, key, read.event, group.first_txn + number - 1);
      }
    }
  }
}

template <typename Entry, typename WantsRead, typename Visit>
void for_each_latest_seen_with(const Index& index,
                               const std::vector<RankSpan>& spans, Newer newer,
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
  std::vector<LatestSeenScratch<Entry>> scratch(
      index.threads(), LatestSeenScratch<Entry>(sessions, index.budget()));
  for (std::uint32_t first = 0; first < sessions;) {
    const auto last = static_cast<std::uint32_t>(
        std::min<std::size_t>(sessions, first + step));
    const ClockBlock<Entry> clocks(index, first, last, spans);
    index.for_each_key_with_events(
        [&](unsigned worker, std::uint32_t key, std::span<const Event> events) {
          visit_latest_seen(index, clocks, first, last, newer, worker, key,
                            events, scratch[worker], wants_read, visit);
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

// Calls visit(worker, key, read, writer) for each key with events, wanted read
// of it (an Event) and session that has such a writer, from several threads, if
// that is newer. Of the writers only those matter whose rank is at least
// least(read), which is that of the source at most; whether others are seen,
// and happen before the source, is left open. REQUIRES: so u wr is acyclic.
template <typename WantsRead, typename Least, typename Visit>
void for_each_latest_seen(const Index& index, Newer newer,
                          WantsRead&& wants_read, Least&& least,
                          Visit&& visit) {
  const std::vector<RankSpan> spans = spans_of_reads(index, wants_read, least);
  if (spans.empty()) return;
  const auto first_txn = index.history().session_first_txn();
  std::uint32_t longest = 0;
  for (std::size_t s = 0; s + 1 < first_txn.size(); ++s) {
    longest = std::max(longest, first_txn[s + 1] - first_txn[s]);
  }
  // No clock reaches the largest number.
  if (longest < std::numeric_limits<std::uint8_t>::max()) {
    for_each_latest_seen_with<std::uint8_t>(index, spans, newer, wants_read,
                                            visit);
  } else if (longest < std::numeric_limits<std::int16_t>::max()) {
    for_each_latest_seen_with<std::int16_t>(index, spans, newer, wants_read,
                                            visit);
  } else {
    for_each_latest_seen_with<std::int32_t>(index, spans, newer, wants_read,
                                            visit);
  }
}

}  // namespace awdit
