// Attributes reads on a walk through the history in the guessed order. Private
// to check/. See source_walk.cpp; check/source_finder.h is the general way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "check/order.h"
#include "check/promotion.h"
#include "check/sources.h"
#include "check/split.h"
#include "check/stale_reads.h"
#include "check/write_table.h"

namespace awdit {

class SourceWalk {
 public:
  // Whether all outcomes are known and values are single: what this is for.
  static bool suits(const History& history);

  // All must outlive it. REQUIRES: suits.
  SourceWalk(const History& history, const Split& split, const Live& live,
             const Order& order);

  // Fills what follows. False: two writes are equal, or may be.
  bool run();

  Sources sources;
  StaleReads stale;

 private:
  // What the walk knows of a key.
  struct Entry {
    std::uint32_t writer;  // the last one in this part; kNoId: none so far
    std::uint32_t mark;    // of what it wrote: see mark()
    std::uint32_t reader;  // the last one
    std::uint32_t source;  // of its first external read; kPending: not known
  };
  struct Read {
    std::uint32_t op;
    std::uint32_t txn;
    bool own = false;  // behind a write of the key by its own transaction
  };
  // A stretch of the walk, for one thread.
  struct Part {
    std::size_t first = 0, last = 0;  // ranks
    Array<Entry> entries;             // [key]
    std::vector<Read> early;   // before any write of the key in this part
    std::vector<Read> missed;  // do not return the latest value
    std::vector<std::uint32_t> repeating;  // transactions: see walk()
    std::uint64_t reads = 0;
  };

  static constexpr std::uint32_t kPending = kNoId;

  void set_aborted_aside();
  template <bool kPlain>
  void walk(Part& part, bool is_first);
  template <bool kPlain>
  void settle_early(std::size_t part);
  std::vector<std::uint8_t> wanted_keys() const;
  void resolve_missed(const WriteTable& table);
  template <bool kPlain>
  std::uint32_t mark(std::uint32_t op) const;
  template <bool kPlain>
  bool returns(std::uint32_t read, std::uint32_t mark) const;
  bool returns_initial(std::uint32_t read) const;

  const History& history_;
  const Split& split_;
  const Live& live_;
  const Order& order_;
  WrittenValues written_;
  std::vector<Part> parts_;
  std::size_t num_missed_ = 0;
  Array<std::uint8_t> rewrites_;  // [txn] -> whether it writes a key twice
};

}  // namespace awdit
