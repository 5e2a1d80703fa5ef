#include "report/page_versions.h"

#include <algorithm>
#include <array>

#include "base/flat_index.h"
#include "base/make_set.h"
#include "tell/tell.h"

namespace awdit {
namespace {

constexpr std::size_t kAround = 2;        // versions kept before and after
constexpr std::size_t kKeptReaders = 24;  // of each version

// What versions are ordered by; `time` is the same for all of a key that is not
// ordered by time.
struct Moment {
  std::int64_t time = 0;
  OpId write;
  friend auto operator<=>(const Moment&, const Moment&) = default;
};

// The writes between two named ones (or before the first, after the last): how
// many, and the outermost, ascending.
class Between {
 public:
  void add(Moment moment) {
    ++count_;
    insert(low_, moment, [](Moment a, Moment b) { return a < b; });
    insert(high_, moment, [](Moment a, Moment b) { return b < a; });
  }
  std::uint64_t count() const { return count_; }

  // Calls use(write, number) for those kept, `before` is the number of the
  // writes before all of them.
  template <typename Use>
  void each(std::uint64_t before, bool ends_too, Use&& use) const {
    const std::uint64_t kept = std::min<std::uint64_t>(count_, kAround);
    for (std::uint64_t i = 0; i < kept; ++i) {
      use(low_[i].write, before + i + 1);
    }
    // Of few the same are outermost on both sides.
    if (!ends_too) return;
    for (std::uint64_t i = std::min(kept, count_ - kept); i > 0; --i) {
      use(high_[i - 1].write, before + count_ - i + 1);
    }
  }

 private:
  template <typename First>
  void insert(std::array<Moment, kAround>& kept, Moment moment, First first) {
    for (std::size_t i = 0; i < kAround; ++i) {
      const bool is_free = i + 1 >= count_;
      if (is_free || first(moment, kept[i])) std::swap(kept[i], moment);
      if (is_free) return;
    }
  }

  std::uint64_t count_ = 0;
  std::array<Moment, kAround> low_ = {}, high_ = {};
};

// A key while the columns are walked.
struct Watched {
  KeyVersions found;
  std::vector<Moment> named;     // writes that stories name, ascending
  std::vector<Between> between;  // [i]: before named[i], the last: behind all
  TxnId known;  // one of a story: clocks that relate to its own count
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
        watched_.back().known = history.txn_of(op);
      }
      if (history.is_write(op)) watched(key).named.push_back({0, op});
    }
    for (Watched& key : watched_) {
      key.found.has_initial = history.initial_value().has_value();
      key.found.by_time = history.clock() != Clock::none;
      for (Moment& moment : key.named) {
        moment.time = time_of(key, history.txn_of(moment.write));
        if (moment.time == kNoTime) key.found.by_time = false;
      }
      if (!key.found.by_time) {
        for (Moment& moment : key.named) moment.time = 0;
      }
      make_set(key.named);
      key.between.resize(key.named.size() + 1);
    }
  }

  VersionsOfKeys run() {
    const std::span<const std::uint32_t> words = history_.op_words();
    TxnId txn(0);
    for (std::uint32_t op = 0; op < words.size(); ++op) {
      if ((words[op] & 1u) != 0 && slot_[words[op] >> 1] != kNoId) {
        while (history_.ops(txn).last <= op) ++txn.v;
        write(txn, OpId(op));
      }
    }
    for (Watched& key : watched_) number(key);
    enter();
    for (std::uint32_t op = 0; op < words.size(); ++op) {
      if ((words[op] & 1u) == 0 && slot_[words[op] >> 1] != kNoId) {
        read(OpId(op));
      }
    }
    VersionsOfKeys result;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      result.emplace(keys_[i].v, std::move(watched_[i].found));
    }
    return result;
  }

 private:
  Watched& watched(KeyId key) { return watched_[slot_[key.v]]; }

  std::int64_t time_of(const Watched& key, TxnId txn) const {
    if (!key.found.by_time) return 0;
    const bool related = history_.clock_domains().related(
        history_.clock_domain(key.known), history_.clock_domain(txn));
    return related ? moment_of(history_, txn) : kNoTime;
  }

  void write(TxnId txn, OpId op) {
    Watched& key = watched(history_.key(op));
    ++key.found.total;
    if (history_.initial_value() &&
        history_.value(op) == *history_.initial_value() &&
        !history_.has_lists()) {
      key.found.has_initial = false;  // a transaction wrote it
    }
    const Moment moment{time_of(key, txn), op};
    if (moment.time == kNoTime) return;
    const auto next = std::ranges::lower_bound(key.named, moment);
    if (next != key.named.end() && *next == moment) return;
    key.between[static_cast<std::size_t>(next - key.named.begin())].add(moment);
  }

  // Those that are kept, with their numbers.
  static void number(Watched& key) {
    std::vector<Version>& versions = key.found.versions;
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < key.between.size(); ++i) {
      const bool is_last = i == key.named.size();
      key.between[i].each(
          before, !is_last, [&](OpId write, std::uint64_t place) {
            versions.push_back(
                {.write = write, .number = place, .readers = {}});
          });
      before += key.between[i].count() + 1;
      if (is_last) break;
      versions.push_back(
          {.write = key.named[i].write, .number = before, .readers = {}});
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
        const std::uint32_t at = index_.find_or_insert(
            hash(i, history_.value(op)), fresh,
            [&](auto entry) { return same(entry, i, history_.value(op)); });
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

std::int64_t moment_of(const History& history, TxnId txn) {
  const auto times = shown_times(history, txn);
  if (!times) return kNoTime;
  return times->end != kNoTime ? times->end : times->begin;
}

VersionsOfKeys versions_of(const History& history, std::span<const OpId> ops) {
  if (ops.empty()) return {};
  return Walk(history, ops).run();
}

}  // namespace awdit
