// Which operation of a transaction read or wrote a key: for evidence. Private
// to check/.
//
// A short transaction is scanned. A long one (a report over a million keys, and
// every one of a thousand cycles goes through it) gets its operations sorted by
// key and by source the first time it is asked for.
// Not for several threads.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "check/index.h"

namespace awdit {

class OpFinder {
 public:
  explicit OpFinder(const Index& index) : index_(index) {}

  // The first read of `key` in `txn` whose source is `source`, after `after` if
  // that is valid.
  OpId read(std::uint32_t txn, std::uint32_t key, std::uint32_t source,
            OpId after = OpId());
  // The first external read in `txn` whose source is `source`, or none.
  OpId read_from(std::uint32_t txn, std::uint32_t source);
  // The last write of `key` in `txn`; none for init.
  OpId last_write(std::uint32_t txn, std::uint32_t key);

 private:
  struct Entry {
    std::uint32_t what;  // key or source
    std::uint32_t op;
  };
  struct Sorted {
    std::vector<Entry> by_key;
    std::vector<Entry> by_source;
  };
  // nullptr: scan it.
  const Sorted* sorted(std::uint32_t txn);

  const Index& index_;
  std::unordered_map<std::uint32_t, Sorted> large_;
};

}  // namespace awdit
