// When transactions with stale reads may have looked. Private to check/.
//
// A stale read need not contradict the guessed order: its reader may have
// looked at a moment before its own, as one that reads from a snapshot does.
// That moment lies behind all that the reader depends on directly (`seen`) and
// before the first writer that replaces something it read (`missed`). The order
// contains happens-before, so whoever happens before the reader stands at
// `seen` or lower; if nobody has replaced anything up to there, nothing can be
// inferred from the reader, by any axiom up to causal, that contradicts the
// order. The others are *suspects*, and few: what databases record hardly has
// any. The levels above have a use for the moments themselves
// (check/guessed_snapshots.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "check/order.h"
#include "check/split.h"
#include "check/stale_reads.h"
#include "history/history.h"

namespace awdit {

// All are ranks.
struct Look {
  std::uint32_t reader;
  std::uint32_t seen;      // the latest that it follows or has read from
  std::uint32_t missed;    // the first to replace what it read
  std::uint32_t replaced;  // the latest before it to write what it writes, too

  bool is_suspect() const { return missed <= seen; }
};

// Suspects read from `source` though `writer`, behind it, has written the key,
// too, and stands no later than what they have seen. Ranks.
struct Overtaken {
  std::uint32_t source, writer, reader;
};

struct Looks {
  std::vector<Look> of;              // transactions with stale reads, ascending
  std::vector<Overtaken> overtaken;  // none if they are far too many
  // [key], [txn] -> whether a suspect has a stale read of it, is one.
  StaleReads suspects;

  std::uint32_t num_suspects() const;
};

// The order with some moved up, along with what they depend on, so that there
// are fewer suspects: who took effect early may have heard of it late. A
// suspect says that somebody wrote a key before its source did, or, where that
// cannot be, that what it depends on came before whoever replaced what it read;
// which of the two is tried first is a guess. Empty if nobody can be moved.
// `looks`: of the order. O(n), and what depends on each other near suspects.
enum class Blame : std::uint8_t {
  whoever,  // the writer if several suspects blame it, otherwise the others
  others,
  writers,
};
std::vector<std::uint32_t> mend_order(const History& history,
                                      const Order& order,
                                      std::span<const std::uint32_t> sources,
                                      std::span<const std::uint32_t> previous,
                                      const Looks& looks, Blame blame);

// REQUIRES: the order contains so u wr and what lists show. `previous`: [txn].
// Cost: one pass over all operations, and for each stale read the versions
// between its own and the reader, of which only the next few are looked at: a
// reader of something older is a suspect.
Looks find_looks(const History& history, const Split& split,
                 std::span<const std::uint32_t> sources, const Order& order,
                 std::span<const std::uint32_t> previous,
                 const StaleReads& stale);

}  // namespace awdit
