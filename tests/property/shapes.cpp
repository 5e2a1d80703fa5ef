// Transactions are laid out first, with their writes and the keys of their
// reads; the values of reads are filled in afterwards, so that a read can
// return any write, of the past or of the future.
//
// Most random choices give histories that break every level at once, which
// tests little. So some shapes imitate a store: transactions commit one after
// another, each reads the newest committed values as of its snapshot (now, or
// a while ago: `stale`), sees its own writes, and now and then one read uses a
// snapshot of its own (`torn`). Such histories hold at some levels and break at
// others, often by a single edge.
#include "property/shapes.h"

#include <algorithm>
#include <array>
#include <map>

namespace awdit::property {
namespace {

constexpr std::array kShapes{
    Shape{.name = "plain"},
    Shape{.name = "plain-no-init", .has_init = false},
    Shape{.name = "aborts", .abort = 30},
    Shape{.name = "unknown", .unknown = 40},
    Shape{.name = "rewrites",
          .keys = 2,
          .max_ops = 5,
          .write = 70,
          .rewrite = 50},
    Shape{.name = "own-reads", .max_ops = 5, .own_read = 60},
    Shape{.name = "thin-air", .thin_air = 15},
    Shape{.name = "one-session", .sessions = 1},
    Shape{.name = "one-session-store", .sessions = 1, .chaos = 4},
    Shape{.name = "many-sessions", .sessions = 40, .max_ops = 3},
    Shape{.name = "single-key", .keys = 1, .max_ops = 3},
    Shape{.name = "single-key-store",
          .keys = 1,
          .max_ops = 3,
          .chaos = 5,
          .stale = 30},
    Shape{.name = "duplicates", .abort = 20, .unknown = 20, .duplicate = 15},
    Shape{.name = "unknown-duplicates",
          .keys = 4,
          .max_ops = 3,
          .unknown = 60,
          .duplicate = 40},
    Shape{.name = "zero-writes", .abort = 20, .unknown = 10, .zero_write = 15},
    Shape{.name = "mixed",
          .sessions = 4,
          .abort = 15,
          .unknown = 15,
          .rewrite = 15,
          .own_read = 15,
          .thin_air = 3,
          .duplicate = 1,
          .zero_write = 3,
          .chaos = 30,
          .stale = 20,
          .torn = 10},
    Shape{.name = "store", .sessions = 4, .chaos = 0},
    Shape{.name = "store-stale", .sessions = 4, .chaos = 1, .stale = 40},
    Shape{.name = "store-torn", .sessions = 4, .chaos = 0, .torn = 20},
    Shape{.name = "store-many-sessions",
          .sessions = 40,
          .max_ops = 3,
          .chaos = 0,
          .stale = 40},
    Shape{.name = "store-faults",
          .sessions = 4,
          .abort = 15,
          .unknown = 15,
          .rewrite = 10,
          .own_read = 20,
          .chaos = 2,
          .stale = 10,
          .torn = 5},
    Shape{.name = "store-wide",
          .sessions = 12,
          .keys = 8,
          .max_ops = 6,
          .write = 40,
          .chaos = 1,
          .stale = 25,
          .torn = 3},
    // Transactions of more operations than the checker looks through one by
    // one.
    Shape{.name = "huge-transactions",
          .sessions = 4,
          .keys = 80,
          .max_ops = 150,
          .rewrite = 2,
          .chaos = 1,
          .stale = 20,
          .share = 1},
    Shape{.name = "huge-transactions-store",
          .sessions = 6,
          .keys = 80,
          .max_ops = 150,
          .write = 40,
          .abort = 5,
          .unknown = 5,
          .chaos = 0,
          .stale = 20,
          .torn = 1,
          .share = 1},
    Shape{.name = "read-mostly",
          .sessions = 6,
          .keys = 4,
          .max_ops = 6,
          .write = 20,
          .chaos = 10,
          .stale = 30,
          .torn = 10},
    Shape{.name = "lists", .lists = true, .change = 20, .share = 5},
    Shape{.name = "lists-store",
          .sessions = 4,
          .stale = 30,
          .lists = true,
          .share = 5},
    Shape{.name = "lists-torn",
          .sessions = 4,
          .stale = 10,
          .torn = 20,
          .lists = true,
          .share = 5},
    Shape{.name = "lists-no-init",
          .lists = true,
          .change = 10,
          .has_init = false,
          .share = 5},
    Shape{.name = "lists-one-key",
          .keys = 1,
          .max_ops = 3,
          .lists = true,
          .change = 25,
          .share = 5},
    Shape{.name = "lists-one-key-unknown",
          .keys = 1,
          .max_ops = 3,
          .unknown = 50,
          .lists = true,
          .change = 15,
          .share = 5},
    Shape{.name = "lists-aborts",
          .keys = 2,
          .abort = 30,
          .lists = true,
          .change = 5,
          .dirty = true,
          .share = 5},
    Shape{.name = "lists-rewrites",
          .keys = 2,
          .max_ops = 5,
          .write = 60,
          .rewrite = 50,
          .own_read = 40,
          .lists = true,
          .change = 15,
          .share = 5},
    Shape{.name = "lists-duplicates",
          .keys = 2,
          .abort = 10,
          .unknown = 50,
          .duplicate = 20,
          .lists = true,
          .change = 10,
          .share = 5},
    // They append nil as well.
    Shape{.name = "lists-zero-writes",
          .keys = 2,
          .abort = 10,
          .unknown = 10,
          .zero_write = 30,
          .lists = true,
          .change = 15,
          .share = 5},
    Shape{.name = "lists-mixed",
          .sessions = 4,
          .abort = 15,
          .unknown = 15,
          .rewrite = 10,
          .own_read = 15,
          .duplicate = 1,
          .zero_write = 1,
          .stale = 15,
          .torn = 5,
          .lists = true,
          .change = 8,
          .dirty = true,
          .share = 5},
};

class Generator {
 public:
  Generator(const Shape& shape, Random& random)
      : shape_(shape), random_(random) {}

  Script run(int txns) {
    script_.has_init = shape_.has_init;
    for (int i = 0; i < txns; ++i) add_txn();
    for (std::size_t i = 0; i < script_.txns.size(); ++i) fill_reads(i);
    return std::move(script_);
  }

 private:
  // A version of a key and who wrote it.
  struct Version {
    std::size_t txn;
    std::int64_t value;
  };

  int below(int n) { return static_cast<int>(random_() % unsigned(n)); }
  bool chance(int percent) { return percent != 0 && below(100) < percent; }

  void add_txn() {
    ScriptTxn txn;
    txn.session = below(shape_.sessions);
    if (chance(shape_.abort)) {
      txn.status = Status::aborted;
    } else if (chance(shape_.unknown)) {
      txn.status = Status::unknown;
    }
    std::vector<int> written;
    const int ops = 1 + below(shape_.max_ops);
    for (int i = 0; i < ops; ++i) {
      ScriptOp op{.write = chance(shape_.write), .key = below(shape_.keys)};
      const bool again = !written.empty() &&
                         chance(op.write ? shape_.rewrite : shape_.own_read);
      if (again) {
        op.key = written[static_cast<std::size_t>(
            below(static_cast<int>(written.size())))];
      } else if (op.write && shape_.rewrite == 0 && contains(written, op.key)) {
        op.write = false;
      }
      if (op.write) {
        written.push_back(op.key);
        op.value = fresh_value(op.key);
        versions_[op.key].push_back({script_.txns.size(), op.value});
      }
      txn.ops.push_back(op);
    }
    script_.txns.push_back(std::move(txn));
  }

  static bool contains(const std::vector<int>& keys, int key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  }

  std::int64_t fresh_value(int key) {
    if (chance(shape_.zero_write) && zeroed_[key]++ == 0) return 0;
    std::int64_t& newest = newest_[key];
    if (newest > 0 && chance(shape_.duplicate)) {
      return 1 + below(static_cast<int>(newest));
    }
    return ++newest;
  }

  void fill_reads(std::size_t t) {
    ScriptTxn& txn = script_.txns[t];
    const std::size_t snapshot = snapshot_before(t, shape_.stale);
    std::map<int, std::int64_t> own;
    for (ScriptOp& op : txn.ops) {
      if (op.write) {
        own[op.key] = op.value;
      } else if (chance(shape_.thin_air)) {
        op.value = 1000 + below(5);
      } else if (chance(shape_.chaos)) {
        op.value = any_version(op.key);
      } else if (own.contains(op.key)) {
        op.value = own[op.key];
      } else {
        op.value = newest_as_of(
            chance(shape_.torn) ? snapshot_before(t, 100) : snapshot, op.key);
      }
    }
  }

  // Transactions below the result are visible.
  std::size_t snapshot_before(std::size_t t, int stale) {
    if (t == 0 || !chance(stale)) return t;
    return t - static_cast<std::size_t>(below(static_cast<int>(t) + 1));
  }

  std::int64_t any_version(int key) {
    const std::vector<Version>& all = versions_[key];
    // One chance for the initial value beside all versions; without an initial
    // value only where there is nothing else.
    const int choices =
        static_cast<int>(all.size()) + (shape_.has_init || all.empty() ? 1 : 0);
    const auto chosen = static_cast<std::size_t>(below(choices));
    return chosen == all.size() ? 0 : all[chosen].value;
  }

  std::int64_t newest_as_of(std::size_t snapshot, int key) const {
    const auto found = versions_.find(key);
    if (found == versions_.end()) return 0;
    for (std::size_t i = found->second.size(); i-- > 0;) {
      const Version& version = found->second[i];
      if (version.txn >= snapshot) continue;
      const Status status = script_.txns[version.txn].status;
      if (status == Status::committed) return version.value;
      // Half of the unknown ones happened.
      if (status == Status::unknown && version.txn % 2 == 0) {
        return version.value;
      }
    }
    return 0;
  }

  const Shape& shape_;
  Random& random_;
  Script script_;
  std::map<int, std::vector<Version>> versions_;  // [key], in input order
  std::map<int, std::int64_t> newest_;            // [key]
  std::map<int, int> zeroed_;                     // [key]
};

}  // namespace

std::span<const Shape> shapes() { return kShapes; }

std::size_t share_of(const Shape& shape, std::size_t histories) {
  std::size_t shares = 0;
  for (const Shape& row : kShapes)
    shares += static_cast<std::size_t>(row.share);
  return histories * static_cast<std::size_t>(shape.share) / shares + 1;
}

// Clients on several machines: each session's times are those of its machine,
// some of whose clocks were held against each other.
void divide_clocks(Script& script, Random& random) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  script.clocks = static_cast<int>(2 + below(2));
  std::vector<std::int64_t> ahead;
  for (int c = 0; c < script.clocks; ++c) ahead.push_back(below(60));
  for (int a = 0; a < script.clocks; ++a) {
    for (int b = a + 1; b < script.clocks; ++b) {
      if (below(3) == 0) continue;
      const std::int64_t error = below(3) == 0 ? 0 : below(9);
      const std::int64_t wrong = below(2 * error + 1) - error;
      const std::int64_t offset = ahead[static_cast<std::size_t>(b)] -
                                  ahead[static_cast<std::size_t>(a)] + wrong;
      if (below(2) == 0) {
        script.relations.push_back({a, b, offset, error});
      } else {
        script.relations.push_back({b, a, -offset, error});
      }
    }
  }
  for (ScriptTxn& txn : script.txns) {
    txn.clock = txn.session % script.clocks;
    for (std::int64_t* at : {&txn.times.begin, &txn.times.end}) {
      if (*at != kNoTime) *at += ahead[static_cast<std::size_t>(txn.clock)];
    }
  }
}

// Half of the histories have times. Transactions begin and end about where they
// stand, in the order in which a store would have committed them, and overlap
// with some of their neighbours; in some histories one or the other is far off,
// and does not respect even its session. Who never learned the outcome knows no
// end; and some did not look at the clock.
void add_times(Script& script, Random& random) {
  script.timed = random() % 2 == 0;
  if (!script.timed) return;
  const std::int64_t spread = std::int64_t{1} << random() % 6;
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  const bool wild = below(3) == 0;
  std::int64_t now = 0;
  for (ScriptTxn& txn : script.txns) {
    now += 4;
    std::int64_t at = now;
    if (wild && below(15) == 0) at = below(now + 40);
    txn.times = {std::max<std::int64_t>(at - below(spread), 0),
                 at + below(spread)};
    if (txn.status == Status::unknown || below(25) == 0) {
      txn.times.end = kNoTime;
    }
    if (below(40) == 0) txn.times.begin = kNoTime;
  }
  if (below(3) == 0) divide_clocks(script, random);
}

Script generate(const Shape& shape, int txns, Random& random) {
  Script script = Generator(shape, random).run(txns);
  if (shape.lists) fill_lists(shape, script, random);
  add_times(script, random);
  return script;
}

}  // namespace awdit::property
