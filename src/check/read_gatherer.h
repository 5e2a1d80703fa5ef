// The external reads of one transaction, for the inference rules. Private to
// check/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "check/index.h"
#include "check/inferences.h"

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

// Calls relate(key) for keys that t2 writes: for each of `keys`, perhaps for
// others, and for some twice. Through the smaller of the two sets.
template <typename Relate>
void for_each_shared_key(const Index& index, std::uint32_t t2,
                         std::span<const std::uint32_t> keys, Relate&& relate) {
  const History& history = index.history();
  const auto [begin, end] = history.txn_ops()[t2];
  const std::uint32_t size = end - begin;
  if (size <= WriteSets::kSmall || size / kScanBias <= keys.size()) {
    const auto words = history.op_words();
    for (std::uint32_t op = begin; op < end; ++op) {
      if ((words[op] & 1) != 0) relate(words[op] >> 1);
    }
    return;
  }
  for (const std::uint32_t key : keys) {
    if (index.write_sets().contains(history, t2, key)) relate(key);
  }
}

// [read] -> 1 if it is the first of this reader from its source, init aside.
// `seen_by`: [txn] -> the last reader that saw it.
inline void mark_first_reads(const History& history, std::uint32_t reader,
                             const std::vector<ExternalRead>& reads,
                             std::vector<std::uint32_t>& seen_by,
                             std::vector<std::uint8_t>& is_first) {
  if (seen_by.empty()) seen_by.assign(history.num_txns(), kNoId);
  is_first.assign(reads.size(), 0);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::uint32_t t2 = reads[i].source;
    if (t2 == history.init_txn().v || seen_by[t2] == reader) continue;
    seen_by[t2] = reader;
    is_first[i] = 1;
  }
}

// Asks for what a transaction read from, in time: where the operations of its
// sources are, and then, when `there` is true, these. (What does nothing else
// than ask is taken to do nothing by g++, unless it is inlined at once.)
[[gnu::always_inline]] inline void expect_sources(const Index& index,
                                                  std::uint32_t txn,
                                                  bool there) {
  constexpr std::uint32_t kMost = 24;  // operations
  const History::OpSpan* const txn_ops = index.history().txn_ops().data();
  const std::uint32_t* const words = index.history().op_words().data();
  const std::uint32_t* const sources = index.sources().data();
  const std::uint32_t init = index.history().init_txn().v;
  const auto [begin, end] = txn_ops[txn];
  for (std::uint32_t op = begin; op < std::min(end, begin + kMost); ++op) {
    if (sources[op] >= init) continue;
    const History::OpSpan* const source = &txn_ops[sources[op]];
    __builtin_prefetch(there ? static_cast<const void*>(words + source->begin)
                             : source);
  }
}

// Calls body(worker, txn) for the live transactions that wanted(txn).
template <typename Wanted, typename Body>
void for_each_live(const Index& index, Wanted&& wanted, Body&& body) {
  const std::uint32_t txns = index.history().num_txns();
  const auto ops = index.history().txn_ops();
  constexpr std::uint32_t kBlock = 4096;
  constexpr std::uint32_t kAhead = 6;  // transactions
  parallel_for((txns + kBlock - 1) / kBlock, index.threads(),
               [&](std::size_t block, unsigned worker) {
                 const auto begin = static_cast<std::uint32_t>(block) * kBlock;
                 const std::uint32_t end = std::min(txns, begin + kBlock);
                 Pace pace(index.budget());
                 const auto expect = [&](std::uint32_t txn, bool there)
                     __attribute__((always_inline)) {
                   if (txn < end && wanted(txn)) {
                     expect_sources(index, txn, there);
                   }
                 };
                 for (std::uint32_t txn = begin; txn < end; ++txn) {
                   expect(txn + 2 * kAhead, false);
                   expect(txn + kAhead, true);
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
        index,
        [&](std::uint32_t txn) {
          return inferences.samples(txn) &&
                 (all || index.suspects().txns[txn] != 0);
        },
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

// The part of a rule that looks at what a reader read. Rule: infer_few and
// infer_many, for readers with few reads and for large ones.
template <typename Rule, typename Scratch>
void infer_from_reads(Rule& rule, const Index& index,
                      const Inferences& inferences,
                      std::vector<Scratch>& scratch) {
  for_each_reader(index, inferences,
                  [&](unsigned worker, std::uint32_t reader) {
                    Scratch& mine = scratch[worker];
                    gather_reads(index, reader, mine.reads);
                    if (mine.reads.size() < 2) return;
                    if (mine.reads.size() <= kFewReads) {
                      rule.infer_few(worker, reader, mine.reads);
                    } else {
                      rule.infer_many(worker, reader, mine);
                    }
                  });
}

// What such rules share.
class DirectRule {
 public:
  DirectRule(const Index& index, Inferences& inferences)
      : index_(index),
        history_(index.history()),
        inferences_(inferences),
        init_(history_.init_txn().v) {}

 protected:
  void add(unsigned worker, std::uint32_t t2, std::uint32_t t1,
           std::uint32_t reader, std::uint32_t key) {
    inferences_.add(worker, {t2, t1, reader, key});
  }

  const Index& index_;
  const History& history_;
  Inferences& inferences_;
  const std::uint32_t init_;
};

}  // namespace awdit
