// The order of versions that lists show. Private to check/. See
// list_versions.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "history/history.h"

namespace awdit {

struct ListVersions {
  // A key and those who appended to it, in `txns`: first the makers of the
  // elements of its longest list, in its order, then the others, each of whom
  // comes after all of the former.
  struct Key {
    std::uint32_t key;
    OpId shown;             // the read of that list
    std::uint32_t first;    // in txns
    std::uint32_t ordered;  // where the others begin; > first
    std::uint32_t end;      // > first + 1
  };
  std::vector<Key> keys;  // ascending; only those that show an order
  std::vector<std::uint32_t> txns;

  // Calls visit(older, newer, number) for a smallest set of pairs from which
  // the rest follows; `number` is that of `newer` in txns.
  template <typename Visit>
  void for_each_pair(Visit&& visit) const {
    for (const Key& key : keys) {
      for (std::uint32_t i = key.first + 1; i < key.end; ++i) {
        visit(txns[std::min(i, key.ordered) - 1], txns[i], i);
      }
    }
  }
  // The key of the pair with this number.
  const Key& key_of(std::uint32_t number) const {
    return *(std::upper_bound(
                 keys.begin(), keys.end(), number,
                 [](std::uint32_t n, const Key& k) { return n < k.first; }) -
             1);
  }
};

// From the lists that these live transactions read and that are not set aside.
// `sources`: [op]. REQUIRES: of a key's lists each is a beginning of the longer
// ones.
ListVersions find_list_versions(const History& history,
                                std::span<const std::uint32_t> sources,
                                std::span<const std::uint32_t> txns,
                                unsigned threads);

// Whether an order, [txn] -> rank, contains them.
bool versions_ascend(const ListVersions& versions,
                     std::span<const std::uint32_t> ranks);

}  // namespace awdit
