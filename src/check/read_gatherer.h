// The external reads of one transaction, for the inference rules. Private to
// check/.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "check/commit_graph.h"
#include "check/index.h"

namespace awdit {

struct ExternalRead {
  std::uint32_t key;
  std::uint32_t source;  // a transaction or init
};

// Fills `reads` in program order.
inline void gather_reads(const Index& index, std::uint32_t txn,
                         std::vector<ExternalRead>& reads) {
  const auto words = index.history().op_words();
  const auto sources = index.sources();
  const auto txn_ops = index.history().txn_ops();
  reads.clear();
  for (std::uint32_t op = txn_ops[txn].begin; op < txn_ops[txn].end; ++op) {
    if (is_external(sources[op])) {
      reads.push_back({words[op] >> 1, sources[op]});
    }
  }
}

// Readers with at most this many reads are handled by plain loops; larger ones
// by arrays over all keys, which cost a cache miss each but no search.
inline constexpr std::size_t kFewReads = 32;

// "The smaller set" of two: going through a transaction's operations is reading
// memory in order, asking a transaction's write set is not, so the first may be
// this much larger.
inline constexpr std::uint32_t kScanBias = 4;

// Calls body(worker, txn) for the live transactions that wanted(txn).
template <typename Wanted, typename Body>
void for_each_live(const Index& index, Wanted&& wanted, Body&& body) {
  const std::uint32_t txns = index.history().num_txns();
  const auto ops = index.history().txn_ops();
  constexpr std::uint32_t kBlock = 4096;
  parallel_for((txns + kBlock - 1) / kBlock, index.threads(),
               [&](std::size_t block, unsigned worker) {
                 const auto begin = static_cast<std::uint32_t>(block) * kBlock;
                 const std::uint32_t end = std::min(txns, begin + kBlock);
                 Pace pace(index.budget());
                 for (std::uint32_t txn = begin; txn < end; ++txn) {
                   if (!wanted(txn) || !index.live(txn)) continue;
                   const std::uint64_t size = ops[txn].size();
                   pace.step(1 + size * size);  // at worst
                   body(worker, txn);
                 }
               });
}

// Likewise for those that a rule must look at.
template <typename Body>
void for_each_reader(const Index& index, const Inferences& inferences,
                     Body&& body) {
  if (inferences.stale_only()) {
    // An order that does not contain reads-from says nothing about what a
    // reader has seen through others.
    const bool all = !index.acyclic();
    for_each_live(
        index, [&](std::uint32_t txn) { return all || index.txn_stale(txn); },
        body);
    return;
  }
  const auto sources = index.sources();
  const auto txn_ops = index.history().txn_ops();
  for_each_live(
      index,
      [&](std::uint32_t txn) {
        for (std::uint32_t op = txn_ops[txn].begin; op < txn_ops[txn].end;
             ++op) {
          if (is_external(sources[op]) && inferences.wants(sources[op])) {
            return true;
          }
        }
        return false;
      },
      body);
}

}  // namespace awdit
