// How many chances a history had to show a violation.
//
// Idea: an axiom speaks of a reader t3, a key x that it reads and a transaction
// t2 that writes x too and that t3 has seen. Where no such three exist nothing
// can go wrong, whatever the database does; so they are counted, whether the
// read returned t2's value or another. The walks are those of the levels
// (read_committed.cpp, read_atomic.cpp, latest_seen.h), over all readers
// instead of the stale ones; "the smaller set" keeps the first two at O(n^1.5).
#include <algorithm>
#include <vector>

#include "check/check.h"
#include "check/key_map.h"
#include "check/latest_seen.h"
#include "check/read_gatherer.h"

namespace awdit {
namespace {

// Per key of a reader, while its reads are gone through from the last to the
// first.
struct KeyOfReader {
  bool later = false;             // some read of the key comes later
  std::uint32_t counted = kNoId;  // the last t2 with which it was counted
};

struct Scratch {
  std::vector<ExternalRead> reads;
  std::vector<std::uint32_t> keys;  // of the reads, each once
  KeyMap<KeyOfReader> by_key;
  std::vector<std::uint8_t> is_first;  // [read] first from its source
  std::vector<std::uint32_t> seen_by;  // [txn] -> reader
};

class Counter {
 public:
  explicit Counter(const Index& index)
      : index_(index), history_(index.history()) {}

  // Adds what one reader contributes by reads-from.
  void count(std::uint32_t reader, Scratch& scratch, Power& power) const {
    gather_reads(index_, reader, scratch.reads);
    if (scratch.reads.empty()) return;
    mark_first_reads(history_, reader, scratch.reads, scratch.seen_by,
                     scratch.is_first);
    scratch.by_key.reset(scratch.reads.size());
    scratch.keys.clear();
    for (const ExternalRead& read : scratch.reads) {
      if (scratch.by_key.find(read.key) != nullptr) continue;
      scratch.by_key.insert(read.key, {});
      scratch.keys.push_back(read.key);
    }
    const auto sessions = history_.txn_sessions();
    for (std::size_t i = scratch.reads.size(); i-- > 0;) {
      const ExternalRead& read = scratch.reads[i];
      if (scratch.is_first[i] != 0) {
        const bool own_session = sessions[read.source] == sessions[reader];
        for_each_common_key(read.source, scratch, [&](KeyOfReader& key) {
          power.non_monotonic_read += key.later ? 1 : 0;
          power.fractured_read += own_session ? 0 : 1;
        });
      }
      scratch.by_key.find(read.key)->later = true;
    }
  }

 private:
  // The keys that t2 writes and the reader reads, each once.
  template <typename Visit>
  void for_each_common_key(std::uint32_t t2, Scratch& scratch,
                           Visit&& visit) const {
    for_each_shared_key(index_, t2, scratch.keys, [&](std::uint32_t name) {
      KeyOfReader* const key = scratch.by_key.find(name);
      if (key == nullptr || key->counted == t2) return;
      key->counted = t2;
      visit(*key);
    });
  }

  const Index& index_;
  const History& history_;
};

// Reads of a key that an earlier transaction of the session wrote.
std::uint64_t count_session_order(const Index& index) {
  const History& history = index.history();
  const auto sessions = history.txn_sessions();
  struct PerWorker {
    std::vector<std::uint32_t> written_key;  // [session] -> key
    std::uint64_t count = 0;
  };
  std::vector<PerWorker> workers(index.threads());
  index.for_each_key_with_events(
      [&](unsigned worker, std::uint32_t key, std::span<const Event> events) {
        PerWorker& mine = workers[worker];
        if (mine.written_key.empty()) {
          mine.written_key.assign(history.num_sessions(), kNoId);
        }
        for (const Event& event : events) {
          std::uint32_t& written = mine.written_key[sessions[event.txn]];
          if (event.is_write()) {
            written = key;
          } else if (written == key) {
            ++mine.count;
          }
        }
      });
  std::uint64_t total = 0;
  for (const PerWorker& mine : workers) total += mine.count;
  return total;
}

std::uint64_t count_causal(const Index& index) {
  std::vector<std::uint64_t> counts(index.threads(), 0);
  for_each_latest_seen(
      index, Newer::than_nothing, [](const Event&) { return true; },
      [](const Event&) { return std::uint32_t{0}; },
      [&](unsigned worker, std::uint32_t, const Event&, std::uint32_t) {
        ++counts[worker];
      });
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts) total += count;
  return total;
}

}  // namespace

Result<Power> power(const History& history, unsigned threads) {
  Result<Index> built = Index::build(history, threads, Options().grain);
  if (!built) return std::move(built.error());
  Index& index = *built;
  index.make_events({});
  std::vector<Scratch> scratch(index.threads());
  std::vector<Power> parts(index.threads());
  const Counter counter(index);
  for_each_live(
      index, [](std::uint32_t) { return true; },
      [&](unsigned worker, std::uint32_t reader) {
        counter.count(reader, scratch[worker], parts[worker]);
      });
  Power total;
  for (const Power& part : parts) {
    total.non_monotonic_read += part.non_monotonic_read;
    total.fractured_read += part.fractured_read;
  }
  total.fractured_read += count_session_order(index);
  if (index.acyclic()) total.causal_violation = count_causal(index);
  return total;
}

}  // namespace awdit
