// Where every read read from. Private to check/.
//
// A read that breaks Read Consistency becomes a finding and is set aside. A
// list is attributed to the maker of the version that it is, without the
// reader's own elements at its end. There are two ways to find out, which agree
// where both can be gone: on a walk in a guessed order (check/source_walk.h),
// and by joining the operations of each key (check/source_finder.h, of lists
// check/lists.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/array.h"
#include "base/result.h"
#include "check/promotion.h"
#include "history/history.h"
#include "theory/theory.h"

namespace awdit {

// [op] -> where a read read from: a transaction (init_txn() for init) or
inline constexpr std::uint32_t kIsWrite = 0xFFFF'FFFFu;
inline constexpr std::uint32_t kOwnRead = 0xFFFF'FFFEu;   // a register's own
inline constexpr std::uint32_t kSetAside = 0xFFFF'FFFDu;  // finding, not live
inline constexpr bool is_external(std::uint32_t source) {
  return source < kSetAside;
}

// REQUIRES: it is a finding.
inline OpId read_of(const Violation& finding) {
  return finding.finding()->read;
}

inline void sort_by_read(std::vector<Violation>& findings) {
  std::sort(findings.begin(), findings.end(),
            [](const Violation& a, const Violation& b) {
              return read_of(a) < read_of(b);
            });
}

struct Sources {
  Array<std::uint32_t> of;          // [op]
  std::vector<Violation> findings;  // of live transactions, by ascending read
  // Likewise, of reads that differ from the transaction's first of the key.
  std::vector<Violation> non_repeatable;
  std::uint64_t reads = 0;  // of live transactions: how many were judged
};

// The general way, which also settles who counts.
struct Attributed {
  Sources sources;  // but for non_repeatable
  Live live;
};
// Fails on two live writes of one value to a key.
Result<Attributed> find_sources(const History& history, unsigned threads);

}  // namespace awdit
