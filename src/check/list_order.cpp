// A serial order of a history of lists.
//
// Idea: lists show the order of a key's versions, so whoever read one must come
// before the maker of the next. With that, session order, reads-from and the
// order of versions, all that an order must respect is known, and a search in
// depth either finds one that is serial or meets a cycle. Those who appended to
// a key, but are in no list of it, come after all who read the longest list;
// among themselves any order will do, as nobody has seen one.
// Each of them after each of those readers would be a square; so a key has a
// node of its own that stands between the two (a hub).
// Invariant: in an order so found each read returns what was written last.
// Cost: O(n) expected; 8 bytes per read and append, twice while it is made.
#include <algorithm>
#include <atomic>
#include <vector>

#include "base/number_lists.h"
#include "base/parallel.h"
#include "check/by_key.h"
#include "check/dependencies.h"
#include "check/key_map.h"
#include "check/sources.h"

namespace awdit {
namespace {

struct Before {
  std::uint32_t later;  // a transaction, or the hub of a key
  std::uint32_t earlier;
};

// What one key shows.
class KeyOrder {
 public:
  KeyOrder(const Index& index, std::uint32_t hub)
      : index_(index), init_(index.history().init_txn().v), hub_(hub) {}

  // Returns false if no order is serial.
  bool add(std::uint32_t key, std::span<const KeyedOp> tuples) {
    find_makers(key, tuples);
    readers_.clear();
    for (const KeyedOp& read : tuples) {
      const std::uint32_t source = index_.sources()[read.op];
      if (!is_external(source)) continue;
      const std::uint32_t next = next_of(source);
      if (next == kAnyUnlisted) {
        if (readers_.empty() || readers_.back() != read.txn) {
          readers_.push_back(read.txn);
        }
      } else if (next != kNobody && next != read.txn) {
        found.push_back({next, read.txn});
      }
    }
    return put_readers_first(hub_ + key);
  }

  std::vector<Before> found;

 private:
  // Those who are in a list, in its order, and the others.
  void find_makers(std::uint32_t key, std::span<const KeyedOp> tuples) {
    const ListVersions& versions = index_.versions();
    const auto at = std::ranges::lower_bound(versions.keys, key, {},
                                             &ListVersions::Key::key);
    const std::span<const std::uint32_t> txns = versions.txns;
    unlisted_.clear();
    if (at != versions.keys.end() && at->key == key) {
      listed_ = txns.subspan(at->first, at->ordered - at->first);
      const auto others = txns.subspan(at->ordered, at->end - at->ordered);
      unlisted_.assign(others.begin(), others.end());
    } else {
      // One alone, or nobody who is in a list.
      listed_ = {};
      for (const KeyedOp& tuple : tuples) {
        if (!tuple.is_write()) continue;
        if (unlisted_.empty() || unlisted_.back() != tuple.txn) {
          unlisted_.push_back(tuple.txn);
        }
      }
    }
    places_.reset(listed_.size());
    for (std::uint32_t i = 0; i < listed_.size(); ++i) {
      places_.insert(listed_[i], i);
    }
  }

  static constexpr std::uint32_t kAnyUnlisted = kNoId;
  static constexpr std::uint32_t kNobody = kNoId - 1;

  // The maker of the version after that of `source`.
  std::uint32_t next_of(std::uint32_t source) {
    std::uint32_t next = 0;
    if (source != init_) {
      const std::uint32_t* const place = places_.find(source);
      // The only one who appended, read by somebody.
      if (place == nullptr) return kNobody;
      next = *place + 1;
    }
    return next == listed_.size() ? kAnyUnlisted : listed_[next];
  }

  // The unlisted come after those who read the longest list.
  bool put_readers_first(std::uint32_t hub) {
    if (unlisted_.empty() || readers_.empty()) return true;
    places_.reset(unlisted_.size());
    for (const std::uint32_t txn : unlisted_) places_.insert(txn, 0);
    std::uint32_t both = kNoId;  // a reader who is one of the unlisted
    bool others = false;
    for (const std::uint32_t reader : readers_) {
      if (places_.find(reader) == nullptr) {
        found.push_back({hub, reader});
        others = true;
      } else if (both != kNoId) {
        return false;  // each must come before the other
      } else {
        both = reader;
      }
    }
    for (const std::uint32_t txn : unlisted_) {
      if (others) found.push_back({txn, hub});
      if (both != kNoId && txn != both) found.push_back({txn, both});
    }
    return true;
  }

  const Index& index_;
  const std::uint32_t init_;
  const std::uint32_t hub_;  // of key 0
  std::span<const std::uint32_t> listed_;
  std::vector<std::uint32_t> unlisted_;
  std::vector<std::uint32_t> readers_;  // of the longest list
  KeyMap<std::uint32_t> places_;        // [transaction]
};

}  // namespace

std::vector<std::uint32_t> serial_order_of_lists(const Index& index) {
  const History& history = index.history();
  const std::uint32_t hub = history.num_txns();
  std::vector<KeyOrder> workers(index.threads(), KeyOrder(index, hub));
  std::atomic<bool> serial = true;
  for_each_key<KeyedOp>(
      history, make_key_layout(history, {}, index.threads()),
      index.order().subspan(1), index.threads(), KeyedOp::make,
      [&](unsigned worker, std::uint32_t key, std::span<KeyedOp> tuples) {
        if (!workers[worker].add(key, tuples)) {
          serial.store(false, std::memory_order_relaxed);
        }
      });
  if (!serial) return {};
  NumberLists before(std::size_t{hub} + history.num_keys(), [&](auto&& add) {
    index.versions().for_each_pair([&](std::uint32_t older, std::uint32_t newer,
                                       std::uint32_t) { add(newer, older); });
    for (const KeyOrder& worker : workers) {
      for (const Before& pair : worker.found) add(pair.later, pair.earlier);
    }
  });
  // Which worker got which key is chance; the result is not.
  parallel_for(64, index.threads(), [&](std::size_t part, unsigned) {
    const std::size_t lists = before.first.size() - 1;
    for (std::size_t i = lists * part / 64; i < lists * (part + 1) / 64; ++i) {
      std::sort(before.items.begin() + before.first[i],
                before.items.begin() + before.first[i + 1]);
    }
  });
  workers.clear();
  return index.sorted_with(before);
}

}  // namespace awdit
