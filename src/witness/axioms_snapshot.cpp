// Levels that speak of snapshots, against a commit order and, for each of its
// transactions, how many of the first ones its snapshot contains.
//
// A snapshot must contain what the transaction depends on: its session before
// it, those it read from, under Snapshot Isolation whoever wrote one of its
// keys and committed before it, and (strong) whoever had ended before it began.
// Each of these is one place in the order that must lie within the snapshot.
// Besides, every read returns the newest version in the snapshot. Of a read
// that is not stale in the replay that follows: its version is the newest
// before the reader, and lies within. For stale reads the versions of their
// keys are looked up.
//
// Cost: O(n), O(log n) for each stale read; with real time O(n log n).
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "witness/axioms.h"
#include "witness/key_lists.h"
#include "witness/phrases.h"

namespace awdit {
namespace {

class SnapshotAxiom {
 public:
  SnapshotAxiom(const History& history, const Attribution& attribution,
                const Level& level, const Replay& replay,
                std::span<const std::uint32_t> snapshots)
      : history_(history),
        attribution_(attribution),
        level_(level),
        replay_(replay),
        snapshots_(snapshots) {}

  std::string breach() {
    const std::size_t size = replay_.order.size();
    if (snapshots_.size() != size) {
      return fmt::format(
          "there are {} snapshots of {} transactions in the commit order",
          snapshots_.size(), size);
    }
    for (std::uint32_t i = 0; i < size; ++i) {
      if (snapshots_[i] > i) {
        return fmt::format(
            "the snapshot of {} contains {} transactions, but only {} commit "
            "before it",
            name(i + 1), snapshots_[i], i);
      }
    }
    (void)(contain_sessions() && contain_sources() && contain_versions() &&
           contain_real_time() && reads_are_newest());
    return std::move(breach_);
  }

 private:
  // How far the snapshot of a transaction reaches, as a place.
  std::uint32_t reach(TxnId txn) const {
    return snapshots_[replay_.place[txn.v] - 1];
  }
  std::string name(std::uint32_t place) const {
    return history_.txn_name(replay_.order[place - 1]);
  }
  // "the snapshot of t2 does not contain t1, " ...
  bool object(TxnId txn, std::uint32_t missing, std::string why) {
    breach_ = fmt::format("the snapshot of {} does not contain {}, {}",
                          history_.txn_name(txn), name(missing), why);
    return false;
  }

  bool contain_sessions() {
    for (const SessionId session : history_.sessions()) {
      TxnId last;
      for (const TxnId txn : history_.txns(session)) {
        if (attribution_.counts[txn.v] == 0) continue;
        if (last.valid() && replay_.place[last.v] > reach(txn)) {
          return object(txn, replay_.place[last.v],
                        fmt::format("which precedes it in session {}",
                                    history_.session_name(session)));
        }
        last = txn;
      }
    }
    return true;
  }

  bool contain_sources() {
    for (const TxnId txn : replay_.order) {
      const std::uint32_t end = reach(txn);
      for (const OpId op : history_.ops(txn)) {
        if (attribution_.source[op.v] == Attribution::kNone) continue;
        const TxnId writer = attribution_.writer(history_, op.v);
        if (replay_.place[writer.v] <= end) continue;
        return object(
            txn, replay_.place[writer.v],
            fmt::format("but {}", describe_read(history_, op, writer)));
      }
    }
    return true;
  }

  // Whoever writes a key has seen all of its earlier versions.
  bool contain_versions() {
    if (level_.cycles != Cycles::snapshot) return true;
    Array<std::uint32_t> newest(history_.num_keys(), 0);  // places
    for (const TxnId txn : replay_.order) {
      const std::uint32_t place = replay_.place[txn.v];
      const std::uint32_t end = reach(txn);
      for (const OpId op : history_.ops(txn)) {
        if (!history_.is_write(op)) continue;
        const KeyId key = history_.key(op);
        const std::uint32_t before = newest[key.v];
        newest[key.v] = place;
        if (before == place || before <= end) continue;
        return object(txn, before,
                      fmt::format("which commits before it and also wrote {}",
                                  history_.key_label(key)));
      }
    }
    return true;
  }

  bool contain_real_time() {
    if (!level_.real_time) return true;
    const Array<std::uint32_t> before = last_ended_before(history_, replay_);
    for (std::uint32_t i = 0; i < before.size(); ++i) {
      if (before[i] <= snapshots_[i]) continue;
      return object(replay_.order[i], before[i],
                    "which had ended before it began");
    }
    return true;
  }

  bool reads_are_newest() {
    if (replay_.stale.empty()) return true;
    const KeyLists lists(history_, attribution_);
    // The versions of the keys that were read stale, made when first asked for.
    std::vector<std::uint32_t> places;
    std::vector<std::uint32_t> first(history_.num_keys(), kNoId);
    for (const OpId read : replay_.stale) {
      const KeyId key = history_.key(read);
      const auto writers = lists.writers_of(key);
      if (first[key.v] == kNoId) {
        first[key.v] = static_cast<std::uint32_t>(places.size());
        for (const std::uint32_t writer : writers) {
          places.push_back(replay_.place[writer]);
        }
        std::sort(places.begin() + first[key.v], places.end());
      }
      const TxnId reader(attribution_.op_txn[read.v]);
      const TxnId writer = attribution_.writer(history_, read.v);
      const auto versions =
          std::span(places).subspan(first[key.v], writers.size());
      const auto after = std::ranges::upper_bound(versions, reach(reader));
      const std::uint32_t newest = after == versions.begin() ? 0 : *(after - 1);
      if (newest == replay_.place[writer.v]) continue;
      breach_ = fmt::format(
          "{}, but its snapshot contains {}, which also wrote {} and which the "
          "commit order puts after {}",
          describe_read(history_, read, writer), name(newest),
          history_.key_label(key), history_.txn_name(writer));
      return false;
    }
    return true;
  }

  const History& history_;
  const Attribution& attribution_;
  const Level& level_;
  const Replay& replay_;
  const std::span<const std::uint32_t> snapshots_;  // [place - 1]
  std::string breach_;
};

}  // namespace

std::string breach_of_snapshots(const History& history,
                                const Attribution& attribution,
                                const Level& level, const Replay& replay,
                                std::span<const std::uint32_t> snapshots) {
  return SnapshotAxiom(history, attribution, level, replay, snapshots).breach();
}

}  // namespace awdit
