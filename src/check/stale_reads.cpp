// Idea: a walk in the guessed order that keeps the last writer of each key; a
// read is stale iff its source is another one. Threads walk parts of the order;
// reads of a key before its first write in a part are settled when all parts
// are done, by the last writer in the parts before.
// An own write is in the way only of lists: what they show besides the reader's
// own elements is judged by the writer before. So for lists that one is kept,
// too.
// Cost: O(n), 4 bytes per key and part, 8 of lists.
#include "check/stale_reads.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "check/sources.h"

namespace awdit {
namespace {

constexpr std::uint32_t kAhead = 16;  // transactions

struct Early {
  std::uint32_t op;
  std::uint32_t txn;
};

struct Part {
  Array<std::uint32_t> writer;  // [key] -> the last one; kNoId: none yet
  Array<std::uint32_t> before;  // [key] -> the one before; only of lists
  std::vector<Early> early;
  StaleReads::Found found;
};

}  // namespace

void StaleReads::Found::add(StaleRead read, bool is_disordered) {
  if (++count <= kFew) few.push_back(read);
  disordered |= is_disordered;
}

void StaleReads::Found::add(const Found& others) {
  count += others.count;
  disordered |= others.disordered;
  if (count > kFew) return;
  few.insert(few.end(), others.few.begin(), others.few.end());
}

StaleReads::StaleReads(const History& history)
    : keys(history.num_keys(), 0), txns(history.num_txns(), 0) {}

void StaleReads::mark_again(const History& history,
                            std::span<const std::uint32_t> sources) {
  const auto key = [&](const StaleRead& read) {
    return history.key(OpId(read.op)).v;
  };
  for (const StaleRead& read : found.few) {
    txns[read.txn] = 0;
    keys[key(read)] = 0;
  }
  any = false;
  for (const StaleRead& read : found.few) {
    if (!is_external(sources[read.op])) continue;
    mark(read.txn, key(read));
    any = true;
  }
}

StaleReads find_stale_reads(const History& history, const Split& split,
                            std::span<const std::uint32_t> sources,
                            const Order& in_order) {
  const auto words = history.op_words();
  const auto txn_ops = history.txn_ops();
  const std::span<const std::uint32_t> order = in_order.txns;
  const std::span<const std::uint32_t> ranks = in_order.ranks;
  const std::uint32_t init = history.init_txn().v;
  StaleReads stale(history);
  const bool lists = history.has_lists();
  const std::vector<std::size_t> cuts =
      split.cut(history, order, (lists ? 2 : 1) * sizeof(std::uint32_t));
  std::vector<Part> parts(cuts.size() - 1);

  const auto judge = [&](Part& part, std::uint32_t txn, std::uint32_t op,
                         std::uint32_t latest) {
    if (sources[op] == latest) return;
    stale.mark(txn, words[op] >> 1);
    part.found.add({op, txn}, ranks[sources[op]] > ranks[txn]);
  };
  parallel_for(parts.size(), split.threads, [&](std::size_t p, unsigned) {
    Part& part = parts[p];
    part.writer = Array<std::uint32_t>(history.num_keys(), kNoId);
    std::uint32_t* const writer = part.writer.data();
    if (lists) part.before = Array<std::uint32_t>(history.num_keys(), kNoId);
    for (std::size_t rank = cuts[p]; rank < cuts[p + 1]; ++rank) {
      if (rank + kAhead < cuts[p + 1]) {
        const std::uint32_t coming = order[rank + kAhead];
        __builtin_prefetch(&words[txn_ops[coming].begin]);
        __builtin_prefetch(&sources[txn_ops[coming].begin]);
      }
      const std::uint32_t txn = order[rank];
      for (std::uint32_t op = txn_ops[txn].begin; op < txn_ops[txn].end; ++op) {
        std::uint32_t& latest = writer[words[op] >> 1];
        if (sources[op] == kIsWrite) {
          if (lists && latest != txn) part.before[words[op] >> 1] = latest;
          latest = txn;
        } else if (is_external(sources[op])) {
          const std::uint32_t seen =
              latest == txn ? part.before[words[op] >> 1] : latest;
          if (seen != kNoId) {
            judge(part, txn, op, seen);
          } else if (p == 0) {
            judge(part, txn, op, init);
          } else {
            part.early.push_back({op, txn});
          }
        }
      }
    }
  });
  parallel_for(parts.size(), split.threads, [&](std::size_t p, unsigned) {
    for (const Early& read : parts[p].early) {
      const std::uint32_t key = words[read.op] >> 1;
      std::size_t before = p;
      while (before != 0 && parts[before - 1].writer[key] == kNoId) --before;
      judge(parts[p], read.txn, read.op,
            before == 0 ? init : parts[before - 1].writer[key]);
    }
  });
  for (const Part& part : parts) stale.found.add(part.found);
  stale.any = stale.found.count != 0;
  return stale;
}

}  // namespace awdit
