#include "check/last_writers.h"

#include "base/parallel.h"

namespace awdit {

LastWriters::LastWriters(const Index& index, const Inferences& inferences)
    : sessions_(index.history().txn_sessions()),
      session_first_(index.history().session_first_txn()) {
  const History& history = index.history();
  const std::vector<std::uint8_t> wanted = inferences.keys_in_question();
  const auto words = history.op_words();
  const auto txn_ops = history.txn_ops();
  struct Write {
    std::uint32_t key, txn;
  };
  constexpr std::uint32_t kBlock = 4096;
  const std::size_t blocks = (history.num_txns() + kBlock - 1) / kBlock;
  std::vector<std::vector<Write>> picked(blocks);
  parallel_for(blocks, index.threads(), [&](std::size_t block, unsigned) {
    const auto begin = static_cast<std::uint32_t>(block) * kBlock;
    const std::uint32_t end = std::min(history.num_txns(), begin + kBlock);
    for (std::uint32_t txn = begin; txn < end; ++txn) {
      if (!index.live(txn)) continue;
      for (std::uint32_t op = txn_ops[txn].begin; op < txn_ops[txn].end; ++op) {
        if ((words[op] & 1) != 0 && wanted[words[op] >> 1] != 0) {
          picked[block].push_back({words[op] >> 1, txn});
        }
      }
    }
  });
  // Where a key's writers go next; in the end, where they end.
  first_ = Array<std::uint32_t>(history.num_keys() + std::size_t{1}, 0);
  std::uint32_t total = 0;
  for (const auto& writes : picked) {
    for (const Write& write : writes) ++first_[write.key];
  }
  for (std::uint32_t& first : first_) total += std::exchange(first, total);
  writers_.resize(total);
  for (const auto& writes : picked) {
    for (const Write& write : writes) writers_[first_[write.key]++] = write.txn;
  }
  std::copy_backward(first_.begin(), first_.end() - 1, first_.end());
  first_[0] = 0;
}

void gather_newest_sources(const Index& index, std::uint32_t reader,
                           std::vector<std::uint32_t>& newest) {
  const auto sources = index.sources();
  const auto ops = index.history().txn_ops()[reader];
  const auto sessions = index.history().txn_sessions();
  const std::uint32_t init = index.history().init_txn().v;
  newest.clear();
  for (std::uint32_t op = ops.begin; op < ops.end; ++op) {
    if (sources[op] < init) newest.push_back(sources[op]);
  }
  // A session's transactions are neighbours then.
  std::sort(newest.begin(), newest.end());
  std::size_t kept = 0;
  for (const std::uint32_t source : newest) {
    const bool same =
        kept != 0 && sessions[newest[kept - 1]] == sessions[source];
    newest[same ? kept - 1 : kept++] = source;
  }
  newest.resize(kept);
}

}  // namespace awdit
