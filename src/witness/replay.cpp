#include "witness/replay.h"

#include <fmt/format.h>

#include "witness/phrases.h"

namespace awdit {
namespace {

class Player {
 public:
  Player(const History& history, const Attribution& attribution, Replay& result)
      : history_(history), attribution_(attribution), result_(result) {}

  bool is_permutation() {
    std::uint32_t place = 0;
    for (const TxnId txn : result_.order) {
      ++place;
      if (txn.v >= history_.num_txns()) {
        return object(fmt::format(
            "entry {} of the commit order is no transaction of this history",
            place));
      }
      if (attribution_.counts[txn.v] == 0) {
        return object(fmt::format(
            "the commit order lists {}, which did not commit", name(txn)));
      }
      if (result_.place[txn.v] != 0) {
        return object(
            fmt::format("the commit order lists {} twice", name(txn)));
      }
      result_.place[txn.v] = place;
    }
    for (const TxnId txn : history_.txns()) {
      if (attribution_.counts[txn.v] != 0 && result_.place[txn.v] == 0) {
        return object(fmt::format("the commit order leaves out {}", name(txn)));
      }
    }
    return true;
  }

  bool keeps_session_order() {
    for (const SessionId session : history_.sessions()) {
      TxnId last;
      for (const TxnId txn : history_.txns(session)) {
        if (attribution_.counts[txn.v] == 0) continue;
        if (last.valid() && result_.place[txn.v] < result_.place[last.v]) {
          return object(fmt::format(
              "the commit order puts {} before {}, which precedes it in "
              "session {}",
              name(txn), name(last), history_.session_name(session)));
        }
        last = txn;
      }
    }
    return true;
  }

  // Of values: valid reads of other transactions' writes come before any own
  // write of the key, so one pass over the operations does.
  bool keeps_reads_from() {
    if (history_.has_lists()) return keeps_lists();
    Array<std::uint32_t> newest(history_.num_keys(), history_.num_txns());
    for (const TxnId txn : result_.order) {
      for (const OpId op : history_.ops(txn)) {
        const KeyId key = history_.key(op);
        if (history_.is_write(op)) {
          newest[key.v] = txn.v;
          continue;
        }
        if (attribution_.source[op.v] == Attribution::kNone) continue;
        const TxnId writer = attribution_.writer(history_, op.v);
        if (writer.v == newest[key.v]) continue;
        if (!history_.is_init(writer) &&
            result_.place[writer.v] > result_.place[txn.v]) {
          return object(fmt::format("{}, but the commit order puts {} first",
                                    describe_read(history_, op, writer),
                                    name(txn)));
        }
        result_.stale.push_back(op);
      }
    }
    return true;
  }

  // The elements of a key are appended one by one, and each must be where the
  // key's longest list has it. All lists that were read are beginnings of that
  // one, made of whole blocks and perhaps own elements, because none has a
  // finding: so how long a list is tells which version it is.
  bool keeps_lists() {
    const Array<std::uint32_t> longest = find_longest();
    Array<std::uint32_t> length(history_.num_keys(), 0);  // of the version
    // Who made the version, and the one before it.
    Array<std::uint32_t> newest(history_.num_keys(), history_.num_txns());
    Array<std::uint32_t> before(history_.num_keys(), history_.num_txns());
    for (const TxnId txn : result_.order) {
      for (const OpId op : history_.ops(txn)) {
        const std::uint32_t key = history_.key(op).v;
        if (history_.is_write(op)) {
          if (newest[key] != txn.v) before[key] = newest[key];
          newest[key] = txn.v;
          const OpId list(longest[key]);
          const std::uint32_t place = length[key]++;
          if (!list.valid() || place >= history_.list_size(list)) continue;
          const Atom there = history_.element(list, place);
          if (there == history_.value(op)) continue;
          return object(fmt::format(
              "by the commit order {} appends {} to {} where {}'s read of {} "
              "has {}",
              name(txn), history_.to_string(history_.value(op)),
              history_.key_label(history_.key(op)),
              name(TxnId(attribution_.op_txn[list.v])),
              quote(history_, list, {place}), history_.to_string(there)));
        }
        if (attribution_.source[op.v] == Attribution::kNone) continue;
        const std::size_t size = history_.list_size(op);
        if (newest[key] == txn.v) {
          // It looks at the version that it is making.
          if (size == length[key]) continue;
          return object(fmt::format(
              "{}, but by the commit order it appends right behind {}",
              describe_read(history_, op, attribution_.writer(history_, op.v)),
              name_of_version(before[key])));
        }
        if (size > length[key]) {
          return object(fmt::format(
              "{}, but the commit order puts {} first",
              describe_read(history_, op, attribution_.writer(history_, op.v)),
              name(txn)));
        }
        if (size < length[key]) result_.stale.push_back(op);
      }
    }
    return true;
  }

 private:
  // [key] -> the read with the longest list, or kNoId
  Array<std::uint32_t> find_longest() const {
    Array<std::uint32_t> longest(history_.num_keys(), kNoId);
    for (const TxnId txn : result_.order) {
      for (const OpId op : history_.ops(txn)) {
        if (history_.is_write(op)) continue;
        std::uint32_t& best = longest[history_.key(op).v];
        if (best == kNoId ||
            history_.list_size(op) > history_.list_size(OpId(best))) {
          best = op.v;
        }
      }
    }
    return longest;
  }

  std::string name_of_version(std::uint32_t maker) const {
    return history_.is_init(TxnId(maker)) ? "the initial state"
                                          : name(TxnId(maker));
  }
  std::string name(TxnId txn) const { return history_.txn_name(txn); }
  bool object(std::string sentence) {
    result_.objection = std::move(sentence);
    return false;
  }

  const History& history_;
  const Attribution& attribution_;
  Replay& result_;
};

}  // namespace

Replay replay(const History& history, const Attribution& attribution,
              std::span<const TxnId> order) {
  Replay result;
  result.order = order;
  // One entry more, so that init has a place: before everybody.
  result.place = Array<std::uint32_t>(history.num_txns() + std::size_t{1}, 0);
  Player player(history, attribution, result);
  (void)(player.is_permutation() && player.keeps_session_order() &&
         player.keeps_reads_from());
  return result;
}

std::vector<StaleReader> stale_by_reader(const Attribution& attribution,
                                         const Replay& replay) {
  std::vector<StaleReader> readers;
  for (std::size_t i = 0; i < replay.stale.size(); ++i) {
    const TxnId reader(attribution.op_txn[replay.stale[i].v]);
    if (readers.empty() || readers.back().reader != reader) {
      readers.push_back({reader, i, i});
    }
    readers.back().end = i + 1;
  }
  return readers;
}

}  // namespace awdit
