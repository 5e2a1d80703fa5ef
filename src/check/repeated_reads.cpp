#include "check/repeated_reads.h"

#include <algorithm>
#include <iterator>

#include "base/parallel.h"
#include "check/key_map.h"
#include "check/op_finder.h"

namespace awdit {
namespace {

struct FirstRead {
  std::uint32_t op;
  std::uint32_t source;
};

struct Worker {
  OpFinder finder;
  KeyMap<FirstRead> first = {};  // [key]
  std::vector<Violation> found = {};
};

void examine(const History& history, std::span<const std::uint32_t> sources,
             std::uint32_t txn, Worker& worker) {
  const auto words = history.op_words();
  const auto [begin, end] = history.txn_ops()[txn];
  std::size_t reads = 0;
  for (std::uint32_t op = begin; op < end; ++op) {
    reads += is_external(sources[op]) ? 1 : 0;
  }
  if (reads < 2) return;
  worker.first.reset(reads);
  for (std::uint32_t op = begin; op < end; ++op) {
    if (!is_external(sources[op])) continue;
    const std::uint32_t key = words[op] >> 1;
    const FirstRead* const first = worker.first.find(key);
    if (first == nullptr) {
      worker.first.insert(key, {op, sources[op]});
    } else if (first->source != sources[op]) {
      worker.found.push_back(
          {Kind::non_repeatable_read,
           Finding{.read = OpId(op),
                   .write = worker.finder.last_write(sources[op], key),
                   .other = OpId(first->op)}});
    }
  }
}

}  // namespace

std::vector<Violation> find_non_repeatable(
    const History& history, std::span<const std::uint32_t> sources,
    std::span<const std::uint32_t> txns, unsigned threads) {
  constexpr std::size_t kBlock = 4096;
  std::vector<Worker> workers(threads, Worker{OpFinder(history, sources)});
  parallel_for((txns.size() + kBlock - 1) / kBlock, threads,
               [&](std::size_t block, unsigned worker) {
                 const std::size_t last =
                     std::min(txns.size(), (block + 1) * kBlock);
                 for (std::size_t i = block * kBlock; i < last; ++i) {
                   if (i != 0 && txns[i] == txns[i - 1]) continue;
                   examine(history, sources, txns[i], workers[worker]);
                 }
               });
  std::vector<Violation> found;
  for (Worker& worker : workers) {
    std::move(worker.found.begin(), worker.found.end(),
              std::back_inserter(found));
  }
  sort_by_read(found);
  return found;
}

}  // namespace awdit
