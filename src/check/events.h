// The events of keys: per key, who wrote and who read it, in the guessed order.
// Private to check/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/parallel.h"
#include "check/split.h"
#include "history/history.h"

namespace awdit {

// A transaction that writes or reads a key. Each writer has one event; each
// reader one, for its first external read of the key. Of one transaction the
// read comes first.
struct Event {
  static constexpr std::uint32_t kWrite = 0xFFFF'FFFFu;
  static constexpr std::uint32_t kStale = 0x8000'0000u;

  std::uint32_t txn;
  std::uint32_t source;  // kWrite, or the source, plus kStale if stale

  bool is_write() const { return source == kWrite; }
  bool is_stale() const { return (source & kStale) != 0; }  // of reads
  std::uint32_t read_from() const { return source & ~kStale; }
};

struct Events {
  struct Key {
    std::uint32_t key;
    std::uint32_t count;
    std::uint64_t first;  // in `all`
  };
  std::vector<Key> keys;  // ascending; those that have events
  Array<Event> all;

  // Calls body(worker, key, events) for each key, from several threads.
  template <typename Body>
  void for_each_key(unsigned threads, Body&& body) const {
    constexpr std::size_t kBlock = 64;
    parallel_for((keys.size() + kBlock - 1) / kBlock, threads,
                 [&](std::size_t block, unsigned worker) {
                   const std::size_t last =
                       std::min(keys.size(), (block + 1) * kBlock);
                   for (std::size_t i = block * kBlock; i < last; ++i) {
                     body(worker, keys[i].key,
                          std::span<const Event>(all.data() + keys[i].first,
                                                 keys[i].count));
                   }
                 });
  }
};

// Those of these keys ([key] -> not 0; empty: all keys). `sources`: [op];
// `order`: [rank] -> txn, init first.
Events find_events(const History& history, const Split& split,
                   std::span<const std::uint32_t> sources,
                   std::span<const std::uint32_t> order,
                   std::span<const std::uint8_t> keys);

}  // namespace awdit
