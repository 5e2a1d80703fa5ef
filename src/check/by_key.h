// Regrouping operations by key, in parallel and in order. Private to check/.
//
// Idea: transactions are walked in a given order and each operation drops a
// tuple into the partition of its key; a partition holds about 2^16 operations,
// so that what follows (grouping by key, joining) stays in the cache. Then each
// partition is sorted by key and handed on, key by key.
//
// Invariant: the tuples of a key arrive in the order of the walk; those of one
// transaction are adjacent. This holds for any number of threads, because every
// block of the walk has its own reserved place in each partition.
// Cost: O(n), two passes over the operations' words; the tuples of one round
// take at most max(16 MB, 6.25 bytes per operation).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/parallel.h"
#include "history/history.h"

namespace awdit {

// Where each key's operations go. Keys may be left out: they have none then.
struct KeyLayout {
  static constexpr std::uint16_t kLeftOut = 0xFFFF;

  Array<std::uint32_t> first;      // [key + 1] -> operations on smaller keys
  Array<std::uint16_t> partition;  // [key]
  std::uint32_t partitions = 0;
  std::vector<std::uint32_t> partition_first_key;  // [partition + 1]
};

// `wanted`: [key] -> 0 if it is left out; empty: all keys are wanted.
KeyLayout make_key_layout(const History& history,
                          std::span<const std::uint8_t> wanted,
                          unsigned threads);

// The tuple that most need: an operation and its transaction.
struct KeyedOp {
  std::uint32_t word;
  std::uint32_t op;
  std::uint32_t txn;

  bool is_write() const { return (word & 1) != 0; }
  static void make(std::uint32_t txn, std::uint32_t op, std::uint32_t word,
                   KeyedOp& tuple) {
    tuple = {word, op, txn};
  }
};

// Calls consume(worker, key, tuples) once for each key that has tuples, from
// several threads. `make(txn, op, word, tuple)` fills a tuple; Tuple has a
// member `word` (key * 2 + is_write). `walk` lists transactions; operations of
// others are left out.
template <typename Tuple, typename Make, typename Consume>
void for_each_key(const History& history, const KeyLayout& layout,
                  std::span<const std::uint32_t> walk, unsigned threads,
                  Make&& make, Consume&& consume) {
  const auto words = history.op_words();
  const auto txn_ops = history.txn_ops();
  const std::size_t partitions = layout.partitions;
  const std::size_t ops = history.num_ops();
  if (partitions == 0) return;

  // Blocks of the walk with roughly equal numbers of operations.
  const std::size_t blocks =
      std::clamp<std::size_t>(ops >> 16, 1, std::size_t{threads} * 4);
  std::vector<std::size_t> block_first = {0};
  {
    std::size_t seen = 0;
    for (std::size_t i = 0; i < walk.size(); ++i) {
      seen += txn_ops[walk[i]].size();
      if (seen >= ops / blocks && block_first.size() < blocks) {
        block_first.push_back(i + 1);
        seen = 0;
      }
    }
    while (block_first.size() <= blocks) block_first.push_back(walk.size());
  }

  // place[block * partitions + p]: first count, then where to write.
  Array<std::uint32_t> place(blocks * partitions, 0);
  parallel_for(blocks, threads, [&](std::size_t block, unsigned) {
    std::uint32_t* counts = place.data() + block * partitions;
    for (std::size_t i = block_first[block]; i < block_first[block + 1]; ++i) {
      const std::uint32_t txn = walk[i];
      for (std::uint32_t op = txn_ops[txn].begin; op < txn_ops[txn].end; ++op) {
        const std::uint32_t p = layout.partition[words[op] >> 1];
        if (p != KeyLayout::kLeftOut) ++counts[p];
      }
    }
  });

  // One buffer serves all rounds: fresh memory costs as much as filling it.
  const std::size_t budget =
      std::max<std::size_t>(std::size_t{1} << 24, ops * 25 / 4) / sizeof(Tuple);
  Array<Tuple> tuples;
  std::size_t round_first = 0;
  while (round_first < partitions) {
    // The partitions of this round, and where each begins.
    std::vector<std::size_t> begin = {0};
    std::size_t round_last = round_first;
    while (round_last < partitions) {
      std::size_t total = 0;
      for (std::size_t block = 0; block < blocks; ++block) {
        total += place[block * partitions + round_last];
      }
      if (round_last != round_first && begin.back() + total > budget) break;
      std::size_t at = begin.back();
      for (std::size_t block = 0; block < blocks; ++block) {
        std::uint32_t& cell = place[block * partitions + round_last];
        const std::uint32_t count = cell;
        cell = static_cast<std::uint32_t>(at);
        at += count;
      }
      begin.push_back(at);
      ++round_last;
    }

    if (tuples.size() < begin.back()) {
      tuples = Array<Tuple>(round_last == partitions
                                ? begin.back()
                                : std::max(begin.back(), budget));
    }
    parallel_for(blocks, threads, [&](std::size_t block, unsigned) {
      std::uint32_t* cursor = place.data() + block * partitions;
      for (std::size_t i = block_first[block]; i < block_first[block + 1];
           ++i) {
        const std::uint32_t txn = walk[i];
        for (std::uint32_t op = txn_ops[txn].begin; op < txn_ops[txn].end;
             ++op) {
          const std::uint32_t word = words[op];
          const std::uint32_t p = layout.partition[word >> 1];
          if (p < round_first || p >= round_last) continue;
          make(txn, op, word, tuples[cursor[p]++]);
        }
      }
    });

    struct Scratch {
      std::vector<Tuple> sorted;
      std::vector<std::uint32_t> cursor;
    };
    std::vector<Scratch> scratch(threads);
    parallel_for(
        round_last - round_first, threads, [&](std::size_t r, unsigned worker) {
          const std::size_t p = round_first + r;
          const std::uint32_t low = layout.partition_first_key[p];
          const std::uint32_t high = layout.partition_first_key[p + 1];
          const std::span<Tuple> part(tuples.data() + begin[r],
                                      begin[r + 1] - begin[r]);
          if (high - low == 1) {
            if (!part.empty()) consume(worker, low, part);
            return;
          }
          Scratch& mine = scratch[worker];
          mine.cursor.assign(high - low + 1, 0);
          for (const Tuple& tuple : part) {
            ++mine.cursor[(tuple.word >> 1) - low + 1];
          }
          for (std::uint32_t k = 0; k < high - low; ++k) {
            mine.cursor[k + 1] += mine.cursor[k];
          }
          if (mine.sorted.size() < part.size()) mine.sorted.resize(part.size());
          for (const Tuple& tuple : part) {
            mine.sorted[mine.cursor[(tuple.word >> 1) - low]++] = tuple;
          }
          std::uint32_t start = 0;
          for (std::uint32_t k = 0; k < high - low; ++k) {
            const std::uint32_t stop = mine.cursor[k];
            if (stop != start) {
              consume(
                  worker, low + k,
                  std::span<Tuple>(mine.sorted.data() + start, stop - start));
            }
            start = stop;
          }
        });
    round_first = round_last;
  }
}

}  // namespace awdit
