#include "check/by_key.h"

namespace awdit {
namespace {

constexpr unsigned kPartitionBits = 16;    // operations per partition, about
constexpr std::size_t kPartitions = 2048;  // at most: each is a write stream

}  // namespace

KeyLayout make_key_layout(const History& history,
                          std::span<const std::uint8_t> wanted,
                          unsigned threads) {
  const auto words = history.op_words();
  const std::size_t ops = words.size();
  const std::size_t keys = history.num_keys();
  KeyLayout layout;
  layout.first = Array<std::uint32_t>(keys + 1, 0);

  // Operations per key: every counter has its own histogram, so few counters.
  const std::size_t counters =
      std::clamp<std::size_t>(ops >> 18, 1, std::min<std::size_t>(threads, 8));
  std::vector<Array<std::uint32_t>> counts(counters);
  parallel_for(counters, threads, [&](std::size_t c, unsigned) {
    counts[c] = Array<std::uint32_t>(keys, 0);
    std::uint32_t* mine = counts[c].data();
    for (std::size_t op = ops * c / counters; op < ops * (c + 1) / counters;
         ++op) {
      const std::uint32_t key = words[op] >> 1;
      if (wanted.empty() || wanted[key] != 0) ++mine[key];
    }
  });
  std::uint32_t sum = 0;
  for (std::size_t key = 0; key < keys; ++key) {
    layout.first[key] = sum;
    for (const auto& mine : counts) sum += mine[key];
  }
  layout.first[keys] = sum;

  unsigned shift = kPartitionBits;
  while ((sum >> shift) >= kPartitions) ++shift;
  layout.partition = Array<std::uint16_t>(keys);
  // Keys of one partition are those whose operations begin in one stretch of
  // 2^shift; stretches in which no key begins are skipped.
  std::uint32_t stretch = kNoId;
  for (std::uint32_t key = 0; key < keys; ++key) {
    if (!wanted.empty() && wanted[key] == 0) {
      layout.partition[key] = KeyLayout::kLeftOut;
      continue;
    }
    const std::uint32_t own = layout.first[key] >> shift;
    if (own != stretch) {
      stretch = own;
      layout.partition_first_key.push_back(key);
    }
    layout.partition[key] =
        static_cast<std::uint16_t>(layout.partition_first_key.size() - 1);
  }
  layout.partitions =
      static_cast<std::uint32_t>(layout.partition_first_key.size());
  layout.partition_first_key.push_back(static_cast<std::uint32_t>(keys));
  return layout;
}

}  // namespace awdit
