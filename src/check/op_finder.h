// Which operation of a transaction read or wrote a key: for evidence. Private
// to check/.
//
// A short transaction is scanned. A long one (a report over a million keys, and
// every one of a thousand cycles goes through it) gets its operations sorted by
// key or by source the first time it is asked for.
// Not for several threads.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "check/sources.h"
#include "history/history.h"

namespace awdit {

class OpFinder {
 public:
  // Both must outlive it; `sources`: [op].
  OpFinder(const History& history, std::span<const std::uint32_t> sources)
      : history_(history), sources_of_(sources) {}

  // The first read of `key` in `txn` whose source is `source`, after `after` if
  // that is valid.
  OpId read(std::uint32_t txn, std::uint32_t key, std::uint32_t source,
            OpId after = OpId());
  // The first external read in `txn` whose source is `source`, or none.
  OpId read_from(std::uint32_t txn, std::uint32_t source);
  // The last write of `key` in `txn`, before `before` if that is valid; none
  // for init. Looks at no sources.
  OpId last_write(std::uint32_t txn, std::uint32_t key, OpId before = OpId());

 private:
  struct Entry {
    std::uint32_t what;  // key or source
    std::uint32_t op;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  using Sorted = std::vector<Entry>;
  // Of a long transaction; nullptr: scan it.
  template <typename Add>
  const Sorted* sorted(std::unordered_map<std::uint32_t, Sorted>& known,
                       std::uint32_t txn, Add&& add);
  const Sorted* reads(std::uint32_t txn);    // by key
  const Sorted* writes(std::uint32_t txn);   // by key
  const Sorted* sources(std::uint32_t txn);  // external reads, by source

  const History& history_;
  const std::span<const std::uint32_t> sources_of_;
  std::unordered_map<std::uint32_t, Sorted> reads_, writes_, sources_;
};

}  // namespace awdit
