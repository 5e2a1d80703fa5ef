// Causal Consistency against a commit order: a stale read of x by t3 from t1 is
// in order iff no version of x after t1 happens before t3.
//
// The versions between t1 and t3 are *missed* by the read. Whether one of them
// is visible to t3 is a look into the tables of visibility.h, block by block.
// Of one session's missed versions only the first is worth asking about: if t3
// depends on a later one, it depends on that one too. So the stale reads of a
// key are taken from the newest version read to the oldest, keeping for each
// column of the table the first version after it; each read is held against
// those, or against all versions it missed where these are fewer.
//
// Cost: stale reads x min(sessions, versions missed), besides the tables;
// nothing if no read is stale.
#include <algorithm>
#include <vector>

#include "base/assert.h"
#include "witness/axioms.h"

namespace awdit {
namespace {

class CausalAxiom {
 public:
  CausalAxiom(const History& history, const Attribution& attribution,
              const Replay& replay, const VisibilityLimits& limits)
      : history_(history),
        attribution_(attribution),
        replay_(replay),
        visibility_(history, attribution, replay, limits) {
    gather_reads();
    gather_versions();
  }

  std::string breach() {
    announce();
    while (visibility_.next_block()) {
      first_in_.assign(visibility_.width(), kNoId);
      pick_reads();
      for (std::size_t i = 0; i < picked_.size();) {
        std::size_t end = i;
        while (end < picked_.size() && picked_[end].key == picked_[i].key) {
          ++end;
        }
        const std::string found = breach_among({picked_.data() + i, end - i});
        if (!found.empty()) return found;
        i = end;
      }
    }
    return "";
  }

 private:
  struct StaleRead {
    OpId op;
    std::uint32_t key;
    std::uint32_t writer;  // place of t1
    std::uint32_t reader;  // place of t3
  };
  // The version of a column that comes first after the one read.
  struct First {
    Visibility::Cell cell;
    std::uint32_t place;
  };

  static bool newest_first(const StaleRead& a, const StaleRead& b) {
    if (a.key != b.key) return a.key < b.key;
    if (a.writer != b.writer) return a.writer > b.writer;
    return a.op < b.op;
  }

  // The replay found them in the order of their readers.
  void gather_reads() {
    reads_.reserve(replay_.stale.size());
    for (const OpId op : replay_.stale) {
      reads_.push_back({op, history_.key(op).v,
                        replay_.place[attribution_.writer(history_, op.v).v],
                        replay_.place[attribution_.op_txn[op.v]]});
    }
  }

  // All versions of the keys that were read stale.
  void gather_versions() {
    first_version_ =
        Array<std::uint32_t>(history_.num_keys() + std::size_t{1}, 0);
    for (const StaleRead& read : reads_) first_version_[read.key + 1] = 1;
    for (std::uint32_t key = 0; key < history_.num_keys(); ++key) {
      const auto first = versions_.size();
      const bool wanted = first_version_[key + 1] != 0;
      first_version_[key] = static_cast<std::uint32_t>(first);
      if (wanted) add_versions(key);
      std::sort(versions_.begin() + first, versions_.end());
    }
    first_version_[history_.num_keys()] =
        static_cast<std::uint32_t>(versions_.size());
  }

  void add_versions(std::uint32_t key) {
    std::uint32_t last = kNoId;
    for (std::uint32_t i = attribution_.key_first[key];
         i < attribution_.key_first[key + 1]; ++i) {
      const std::uint32_t op = attribution_.by_key[i];
      const std::uint32_t txn = attribution_.op_txn[op];
      if (txn == last || !history_.is_write(OpId(op))) continue;
      last = txn;
      if (replay_.place[txn] != 0) versions_.push_back(replay_.place[txn]);
    }
  }

  // Asks about every version that some read missed.
  void announce() {
    std::vector<StaleRead> reads = reads_;
    std::ranges::sort(reads, newest_first);
    for (std::size_t end = reads.size(); end > 0;) {
      const std::uint32_t key = reads[end - 1].key;
      std::uint32_t last_reader = 0;  // of those that may have missed `version`
      for (std::uint32_t v = first_version_[key]; v < first_version_[key + 1];
           ++v) {
        const std::uint32_t version = versions_[v];
        for (; end > 0 && reads[end - 1].key == key &&
               reads[end - 1].writer < version;
             --end) {
          last_reader = std::max(last_reader, reads[end - 1].reader);
        }
        if (last_reader > version) visibility_.ask(version, last_reader);
      }
      AWDIT_ASSERT(end == 0 || reads[end - 1].key != key);
    }
  }

  // The reads for which the current block may have an answer.
  void pick_reads() {
    const auto from = std::ranges::lower_bound(
        reads_, visibility_.first_place(), {}, &StaleRead::reader);
    const auto to = std::ranges::upper_bound(reads_, visibility_.last_place(),
                                             {}, &StaleRead::reader);
    picked_.assign(from, to);
    std::ranges::sort(picked_, newest_first);
  }

  // REQUIRES: the reads are of one key, newest first.
  std::string breach_among(std::span<const StaleRead> reads) {
    const std::uint32_t key = reads.front().key;
    const std::uint32_t* const first = versions_.data() + first_version_[key];
    const std::uint32_t* const end = std::upper_bound(
        first, first + first_version_[key + 1] - first_version_[key],
        visibility_.last_place());
    const std::uint32_t* missed = end;
    for (const StaleRead& read : reads) {
      while (missed > first && missed[-1] > read.writer &&
             missed[-1] >= visibility_.first_place()) {
        add_first(*--missed);
      }
      const std::uint32_t seen = visible_version(read, {missed, end});
      if (seen != 0) {
        return describe_breach(history_, attribution_, read.op,
                               replay_.order[seen - 1]);
      }
    }
    for (const First& entry : firsts_) first_in_[entry.cell.column] = kNoId;
    firsts_.clear();
    return "";
  }

  void add_first(std::uint32_t place) {
    First entry{{}, place};
    if (!visibility_.locate(place, entry.cell)) return;
    std::uint32_t& at = first_in_[entry.cell.column];
    if (at == kNoId) {
      at = static_cast<std::uint32_t>(firsts_.size());
      firsts_.push_back(entry);
    } else {
      firsts_[at] = entry;
    }
  }

  // The place of one of the versions after the one read that the reader depends
  // on, or 0.
  std::uint32_t visible_version(const StaleRead& read,
                                std::span<const std::uint32_t> later) const {
    const std::int16_t* row = visibility_.row(read.reader);
    const auto sees = [&](const Visibility::Cell& cell) {
      return row[cell.column] >= cell.rank;
    };
    if (later.size() <= firsts_.size() ||
        later[firsts_.size()] >= read.reader) {
      for (const std::uint32_t version : later) {
        if (version >= read.reader) break;
        Visibility::Cell cell{};
        if (visibility_.locate(version, cell) && sees(cell)) return version;
      }
      return 0;
    }
    for (const First& entry : firsts_) {
      if (sees(entry.cell)) return entry.place;
    }
    return 0;
  }

  const History& history_;
  const Attribution& attribution_;
  const Replay& replay_;
  Visibility visibility_;
  std::vector<StaleRead> reads_;         // by reader
  Array<std::uint32_t> first_version_;   // [key + 1] -> entry of versions_
  std::vector<std::uint32_t> versions_;  // places, ascending for each key
  std::vector<StaleRead> picked_;
  std::vector<First> firsts_;
  std::vector<std::uint32_t> first_in_;  // [column] -> entry of firsts_
};

}  // namespace

std::string breach_of_causal(const History& history,
                             const Attribution& attribution,
                             const Replay& replay,
                             const VisibilityLimits& limits) {
  if (replay.stale.empty()) return "";
  return CausalAxiom(history, attribution, replay, limits).breach();
}

}  // namespace awdit
