#include "report/page_versions.h"

#include <algorithm>

#include "base/flat_index.h"

namespace awdit {
namespace {

constexpr std::uint64_t kAround = 2;      // versions kept before and after
constexpr std::size_t kKeptReaders = 24;  // of each version

// A key while the columns are walked.
struct Watched {
  KeyVersions found;
  std::vector<OpId> named;  // writes that stories name, ascending
  std::size_t next = 0;     // of these
  std::uint64_t keep_until = 0;
  std::vector<Version> last;  // the kAround writes before
};

class Walk {
 public:
  Walk(const History& history, std::span<const OpId> ops)
      : history_(history), slot_(history.num_keys(), kNoId) {
    for (const OpId op : ops) {
      const KeyId key = history.key(op);
      if (slot_[key.v] == kNoId) {
        slot_[key.v] = static_cast<std::uint32_t>(keys_.size());
        keys_.push_back(key);
        watched_.emplace_back();
      }
      if (history.is_write(op)) watched(key).named.push_back(op);
    }
    for (Watched& key : watched_) {
      std::sort(key.named.begin(), key.named.end());
      key.named.erase(std::unique(key.named.begin(), key.named.end()),
                      key.named.end());
      key.found.has_initial = history.initial_value().has_value();
      key.keep_until = kAround;  // the first few follow the initial state
    }
  }

  std::unordered_map<std::uint32_t, KeyVersions> run() {
    const std::span<const std::uint32_t> words = history_.op_words();
    for (std::uint32_t op = 0; op < words.size(); ++op) {
      if ((words[op] & 1u) != 0 && slot_[words[op] >> 1] != kNoId) {
        write(OpId(op));
      }
    }
    enter();
    for (std::uint32_t op = 0; op < words.size(); ++op) {
      if ((words[op] & 1u) == 0 && slot_[words[op] >> 1] != kNoId) {
        read(OpId(op));
      }
    }
    std::unordered_map<std::uint32_t, KeyVersions> result;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      result.emplace(keys_[i].v, std::move(watched_[i].found));
    }
    return result;
  }

 private:
  Watched& watched(KeyId key) { return watched_[slot_[key.v]]; }

  void write(OpId op) {
    Watched& key = watched(history_.key(op));
    const Version version{
        .write = op, .number = ++key.found.total, .readers = {}};
    if (history_.initial_value() &&
        history_.value(op) == *history_.initial_value() &&
        !history_.has_lists()) {
      key.found.has_initial = false;  // a transaction wrote it
    }
    if (key.next < key.named.size() && key.named[key.next] == op) {
      ++key.next;
      for (Version& before : key.last) {
        key.found.versions.push_back(std::move(before));
      }
      key.last.clear();
      key.keep_until = version.number + kAround;
    }
    if (version.number <= key.keep_until) {
      key.found.versions.push_back(version);
    } else {
      if (key.last.size() == kAround) key.last.erase(key.last.begin());
      key.last.push_back(version);
    }
  }

  // Kept versions become findable by what they wrote. Of two that wrote the
  // same, one has aborted: the other is what readers mean.
  void enter() {
    for (std::uint32_t i = 0; i < watched_.size(); ++i) {
      KeyVersions& key = watched_[i].found;
      if (key.has_initial) key.versions.insert(key.versions.begin(), Version{});
      for (std::uint32_t j = 0; j < key.versions.size(); ++j) {
        const OpId op = key.versions[j].write;
        if (!op.valid()) continue;
        entries_.push_back({i, j, history_.value(op)});
        const auto fresh = static_cast<std::uint32_t>(entries_.size() - 1);
        const std::uint32_t at = find(i, history_.value(op), fresh);
        if (at != fresh && aborted(entries_[at])) entries_[at].version = j;
      }
    }
  }

  struct Entry {
    std::uint32_t key;
    std::uint32_t version;
    Atom value;
  };
  bool aborted(const Entry& entry) const {
    const OpId op = watched_[entry.key].found.versions[entry.version].write;
    return history_.status(history_.txn_of(op)) == Status::aborted;
  }
  static std::uint64_t hash(std::uint32_t key, Atom value) {
    return mix64(mix64(value.bits + static_cast<std::uint64_t>(value.kind)) ^
                 key);
  }
  bool same(std::uint32_t entry, std::uint32_t key, Atom value) const {
    return entries_[entry].key == key && entries_[entry].value == value;
  }
  std::uint32_t find(std::uint32_t key, Atom value, std::uint32_t fresh) {
    return index_.find_or_insert(hash(key, value), fresh, [&](auto entry) {
      return same(entry, key, value);
    });
  }

  void read(OpId op) {
    const std::uint32_t slot = slot_[history_.key(op).v];
    KeyVersions& key = watched_[slot].found;
    const Atom value = history_.value(op);
    const std::uint32_t entry = index_.find(
        hash(slot, value), [&](auto item) { return same(item, slot, value); });
    Version* version = nullptr;
    if (entry != FlatIndex::kAbsent) {
      version = &key.versions[entries_[entry].version];
    } else if (key.has_initial && history_.is_initial(value)) {
      version = &key.versions.front();
    } else {
      return;
    }
    const TxnId reader = history_.txn_of(op);
    // Who reads it again is still one reader.
    if (!version->readers.empty() && version->readers.back() == reader) return;
    ++version->num_readers;
    if (version->readers.size() < kKeptReaders) {
      version->readers.push_back(reader);
    }
  }

  const History& history_;
  std::vector<std::uint32_t> slot_;  // [key] -> place in keys_, or kNoId
  std::vector<KeyId> keys_;
  std::vector<Watched> watched_;  // [slot]
  std::vector<Entry> entries_;
  FlatIndex index_;
};

}  // namespace

std::unordered_map<std::uint32_t, KeyVersions> versions_of(
    const History& history, std::span<const OpId> ops) {
  if (ops.empty()) return {};
  return Walk(history, ops).run();
}

}  // namespace awdit
