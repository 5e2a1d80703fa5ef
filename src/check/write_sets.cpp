#include "check/write_sets.h"

#include <bit>
#include <vector>

namespace awdit {

WriteSets::WriteSets(const History& history) {
  const auto txn_ops = history.txn_ops();
  const auto words = history.op_words();
  std::vector<std::uint32_t> large;
  std::vector<Set> sets;
  std::uint64_t total = 0;
  for (std::uint32_t txn = 0; txn < history.num_txns(); ++txn) {
    if (txn_ops[txn].size() <= kSmall) continue;
    std::uint64_t writes = 0;
    for (std::uint32_t op = txn_ops[txn].begin; op < txn_ops[txn].end; ++op) {
      writes += words[op] & 1;
    }
    const std::uint64_t capacity = std::bit_ceil(writes * 2 + 1);
    sets.push_back({total, capacity - 1});
    large.push_back(txn);
    total += capacity;
  }
  if (large.empty()) return;
  set_of_ = Array<std::uint32_t>(history.num_txns(), kNoId);
  sets_ = Array<Set>(sets.size());
  slots_ = Array<std::uint32_t>(total, kNoId);
  for (std::uint32_t i = 0; i < large.size(); ++i) {
    const std::uint32_t txn = large[i];
    set_of_[txn] = i;
    sets_[i] = sets[i];
    for (std::uint32_t op = txn_ops[txn].begin; op < txn_ops[txn].end; ++op) {
      if ((words[op] & 1) == 0) continue;
      const std::uint32_t key = words[op] >> 1;
      std::uint64_t at = mix64(key) & sets[i].mask;
      while (slots_[sets[i].first + at] != kNoId &&
             slots_[sets[i].first + at] != key) {
        at = (at + 1) & sets[i].mask;
      }
      slots_[sets[i].first + at] = key;
    }
  }
}

bool WriteSets::contains_large(std::uint32_t txn, std::uint32_t key) const {
  const Set& set = sets_[set_of_[txn]];
  for (std::uint64_t at = mix64(key) & set.mask;; at = (at + 1) & set.mask) {
    const std::uint32_t slot = slots_[set.first + at];
    if (slot == key) return true;
    if (slot == kNoId) return false;
  }
}

}  // namespace awdit
