// Idea: nearly every read of a recorded history returns what was written last
// before it in the guessed order. So the transactions are walked in that order
// with the latest write of each key known; a read that returns it is
// attributed, and known not to be stale, by one look at a small table. The
// reads that do not are *missed* and looked up in a table of all writes
// (check/write_table.h), which is made only if there are any, or if that is
// needed to know that no two writes are alike.
//
// Threads walk parts of the order. Within a part, the first reads of a key
// come before its first write: they are *early*, and settled when the parts
// before are done, by what was written last there.
//
// Invariant: no two writes are alike (survey_writes, or the table); otherwise
// run() gives up. So what a read returns has one writer, and the result does
// not depend on where parts were cut. Cost: O(n) expected, 4 bytes per
// operation and 16 per key and part, plus the table. Findings are as in
// check/source_finder.cpp, and in the same order.
#include "check/source_walk.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/parallel.h"
#include "check/op_finder.h"

namespace awdit {
namespace {

// Time for memory to answer.
constexpr std::uint32_t kAhead = 4;  // transactions
constexpr std::uint32_t kMost = 24;  // operations

}  // namespace

bool SourceWalk::suits(const History& history) {
  return !history.has_lists() && !history.has_unknown();
}

SourceWalk::SourceWalk(const History& history, const Split& split,
                       const Live& live, const Order& order)
    : stale(history),
      history_(history),
      split_(split),
      live_(live),
      order_(order) {
  sources.of = Array<std::uint32_t>(history.num_ops());
}

// Transactions that are not in the order.
void SourceWalk::set_aborted_aside() {
  if (order_.txns.size() == std::size_t{history_.num_txns()} + 1) return;
  for (const TxnId txn : history_.txns()) {
    if (live_[txn.v]) continue;
    for (const OpId op : history_.ops(txn)) {
      sources.of[op.v] = history_.is_write(op) ? kIsWrite : kSetAside;
    }
  }
}

// What an entry remembers of a write: the value itself if it has 32 bits.
template <bool kPlain>
std::uint32_t SourceWalk::mark(std::uint32_t op) const {
  return kPlain ? history_.op_values().narrow()[op] : op;
}

template <bool kPlain>
bool SourceWalk::returns(std::uint32_t read, std::uint32_t mark) const {
  if (kPlain) return history_.op_values().narrow()[read] == mark;
  return history_.value(OpId(read)) == history_.value(OpId(mark));
}

bool SourceWalk::returns_initial(std::uint32_t read) const {
  return !written_.initial && history_.is_initial(history_.value(OpId(read)));
}

template <bool kPlain>
void SourceWalk::walk(Part& part, bool is_first) {
  const auto words = history_.op_words();
  const auto txn_ops = history_.txn_ops();
  const std::span<const std::uint32_t> order = order_.txns;
  const std::uint32_t init = history_.init_txn().v;
  std::uint32_t* const source_of = sources.of.data();
  part.entries =
      Array<Entry>(history_.num_keys(), {kNoId, kNoId, kNoId, kPending});
  Entry* const entries = part.entries.data();
  // What comes is asked for in time: the keys of operations, then the entries.
  // (Inlined, or g++ takes it to do nothing.)
  const auto expect = [&](std::size_t rank) __attribute__((always_inline)) {
    if (rank + 2 * kAhead < part.last) {
      const std::uint32_t begin = txn_ops[order[rank + 2 * kAhead]].begin;
      if (begin < words.size()) __builtin_prefetch(&words[begin]);
    }
    if (rank + kAhead >= part.last) return;
    const auto [begin, end] = txn_ops[order[rank + kAhead]];
    for (std::uint32_t op = begin; op < std::min(end, begin + kMost); ++op) {
      __builtin_prefetch(&entries[words[op] >> 1], 1);
    }
  };
  for (std::size_t rank = part.first; rank < part.last; ++rank) {
    expect(rank);
    const std::uint32_t txn = order[rank];
    const auto [begin, end] = txn_ops[txn];
    for (std::uint32_t op = begin; op < end; ++op) {
      // Of long transactions what lies further on.
      if (op + kMost < end) {
        __builtin_prefetch(&entries[words[op + kMost] >> 1], 1);
      }
      Entry& entry = entries[words[op] >> 1];
      if ((words[op] & 1) != 0) {
        if (entry.writer == txn) rewrites_[txn] = 1;
        entry.writer = txn;
        entry.mark = mark<kPlain>(op);
        source_of[op] = kIsWrite;
        continue;
      }
      ++part.reads;
      std::uint32_t source = kPending;
      if (entry.writer != kNoId) {
        if (returns<kPlain>(op, entry.mark)) {
          source = entry.writer;
          if (source == txn) {
            source_of[op] = kOwnRead;
            continue;
          }
        } else {
          part.missed.push_back({op, txn, entry.writer == txn});
        }
      } else if (!is_first) {
        part.early.push_back({op, txn});
      } else if (returns_initial(op)) {
        source = init;
      } else {
        part.missed.push_back({op, txn});
      }
      source_of[op] = source;
      // A transaction that reads a key again, from another one as far as is
      // known, is looked at when all is known.
      if (entry.reader != txn) {
        entry.reader = txn;
        entry.source = source;
      } else if ((entry.source != source || source == kPending) &&
                 (part.repeating.empty() || part.repeating.back() != txn)) {
        part.repeating.push_back(txn);
      }
    }
  }
}

template <bool kPlain>
void SourceWalk::settle_early(std::size_t number) {
  Part& part = parts_[number];
  const auto words = history_.op_words();
  for (std::size_t i = 0; i < part.early.size(); ++i) {
    if (i + kMost < part.early.size()) {
      const std::uint32_t key = words[part.early[i + kMost].op] >> 1;
      __builtin_prefetch(&parts_[number - 1].entries[key]);
    }
    const Read& read = part.early[i];
    const std::uint32_t key = words[read.op] >> 1;
    std::size_t before = number;
    while (before != 0 && parts_[before - 1].entries[key].writer == kNoId) {
      --before;
    }
    if (before == 0) {
      if (returns_initial(read.op)) {
        sources.of[read.op] = history_.init_txn().v;
        continue;
      }
    } else if (const Entry& entry = parts_[before - 1].entries[key];
               returns<kPlain>(read.op, entry.mark)) {
      sources.of[read.op] = entry.writer;
      continue;
    }
    part.missed.push_back(read);
  }
  part.early = {};
}

// What missed reads return, and what is wrong with them.
void SourceWalk::resolve_missed(const WriteTable& table) {
  constexpr std::size_t kBlock = std::size_t{1} << 14;
  struct Task {
    const Part* part;
    std::size_t first;
  };
  std::vector<Task> tasks;
  for (const Part& part : parts_) {
    for (std::size_t at = 0; at < part.missed.size(); at += kBlock) {
      tasks.push_back({&part, at});
    }
  }
  // [op] -> its transaction; where it is asked for often.
  Array<std::uint32_t> txn_of;
  if (num_missed_ > history_.num_ops() / 256) {
    txn_of = Array<std::uint32_t>(history_.num_ops());
    const auto txn_ops = history_.txn_ops();
    const std::uint32_t txns = history_.num_txns();
    constexpr std::uint32_t kTxns = std::uint32_t{1} << 14;
    parallel_for((txns + kTxns - 1) / kTxns, split_.threads,
                 [&](std::size_t block, unsigned) {
                   const auto from = static_cast<std::uint32_t>(block) * kTxns;
                   for (std::uint32_t txn = from;
                        txn < std::min(txns, from + kTxns); ++txn) {
                     std::fill(txn_of.begin() + txn_ops[txn].begin,
                               txn_of.begin() + txn_ops[txn].end, txn);
                   }
                 });
  }
  const auto words = history_.op_words();
  const std::uint32_t* const narrow =
      history_.op_values().is_wide() ? nullptr
                                     : history_.op_values().narrow().data();
  const std::span<const std::uint32_t> ranks = order_.ranks;
  const std::uint32_t init = history_.init_txn().v;
  std::vector<OpFinder> finders(split_.threads,
                                OpFinder(history_, sources.of.span()));
  std::vector<std::vector<Violation>> found(split_.threads);
  std::vector<StaleReads::Found> stale_reads(split_.threads);

  // The source of a missed read whose value was written by `write` (or kNoId).
  const auto judge = [&](unsigned worker, const Read& read,
                         std::uint32_t write) -> std::uint32_t {
    OpFinder& finder = finders[worker];
    const std::uint32_t key = words[read.op] >> 1;
    const auto finding = [&](Kind kind, OpId write_op, OpId other) {
      found[worker].push_back({kind, Finding{OpId(read.op), write_op, other}});
      return kSetAside;
    };
    const auto own = [&] {
      return finder.last_write(read.txn, key, OpId(read.op));
    };
    if (write == kNoId) {
      if (!history_.is_initial(history_.value(OpId(read.op)))) {
        return finding(Kind::thin_air_read, OpId(), OpId());
      }
      return read.own ? finding(Kind::own_write_ignored, OpId(), own()) : init;
    }
    const std::uint32_t writer =
        txn_of.empty() ? history_.txn_of(OpId(write)).v : txn_of[write];
    if (history_.status(TxnId(writer)) == Status::aborted) {
      return finding(Kind::aborted_read, OpId(write), OpId());
    }
    if (writer == read.txn) {
      return write > read.op
                 ? finding(Kind::future_read, OpId(write), OpId())
                 : finding(Kind::stale_own_write, OpId(write), own());
    }
    if (read.own) return finding(Kind::own_write_ignored, OpId(write), own());
    if (rewrites_[writer] != 0) {
      const OpId last = finder.last_write(writer, key);
      if (last != OpId(write)) {
        return finding(Kind::intermediate_read, OpId(write), last);
      }
    }
    return writer;
  };

  parallel_for(
      tasks.size(), split_.threads, [&](std::size_t t, unsigned worker) {
        const auto& missed = tasks[t].part->missed;
        const std::size_t last =
            std::min(missed.size(), tasks[t].first + kBlock);
        constexpr std::size_t kAtOnce = 32;
        for (std::size_t at = tasks[t].first; at < last; at += kAtOnce) {
          const std::size_t count = std::min(kAtOnce, last - at);
          std::uint64_t hashes[kAtOnce];
          std::uint32_t writes[kAtOnce];
          for (std::size_t i = 0; i < count; ++i) {
            hashes[i] = table.hash(missed[at + i].op);
            table.prefetch(hashes[i]);
          }
          for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t write = table.candidate(hashes[i]);
            if (write == kNoId) continue;
            __builtin_prefetch(&words[write]);
            if (narrow != nullptr) __builtin_prefetch(&narrow[write]);
            if (!txn_of.empty()) __builtin_prefetch(&txn_of[write]);
          }
          for (std::size_t i = 0; i < count; ++i) {
            writes[i] = table.find(hashes[i], missed[at + i].op);
          }
          for (std::size_t i = 0; i < count; ++i) {
            const Read& read = missed[at + i];
            const std::uint32_t source = judge(worker, read, writes[i]);
            sources.of[read.op] = source;
            if (!is_external(source)) continue;
            stale.mark(read.txn, words[read.op] >> 1);
            stale_reads[worker].add({read.op, read.txn},
                                    ranks[source] > ranks[read.txn]);
          }
        }
      });
  for (unsigned worker = 0; worker < split_.threads; ++worker) {
    std::move(found[worker].begin(), found[worker].end(),
              std::back_inserter(sources.findings));
    stale.found.add(stale_reads[worker]);
  }
  stale.any = stale.found.count != 0;
  sort_by_read(sources.findings);
}

// [key] -> whether its writes must be in the table; empty: all of them.
std::vector<std::uint8_t> SourceWalk::wanted_keys() const {
  if (!written_.distinct || num_missed_ > history_.num_ops() / 256) return {};
  std::vector<std::uint8_t> wanted(history_.num_keys(), 0);
  for (const Part& part : parts_) {
    for (const Read& read : part.missed) {
      wanted[history_.key(OpId(read.op)).v] = 1;
    }
  }
  return wanted;
}

bool SourceWalk::run() {
  written_ = survey_writes(history_, split_.threads);
  const bool plain =
      history_.op_value_kinds().empty() && !history_.op_values().is_wide();
  rewrites_ = Array<std::uint8_t>(history_.num_txns(), 0);
  set_aborted_aside();
  const std::vector<std::size_t> cuts =
      split_.cut(history_, order_.txns, sizeof(Entry));
  parts_ = std::vector<Part>(cuts.size() - 1);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    parts_[p].first = cuts[p];
    parts_[p].last = cuts[p + 1];
  }
  parallel_for(parts_.size(), split_.threads, [&](std::size_t p, unsigned) {
    plain ? walk<true>(parts_[p], p == 0) : walk<false>(parts_[p], p == 0);
  });
  parallel_for(parts_.size() - 1, split_.threads, [&](std::size_t p, unsigned) {
    plain ? settle_early<true>(p + 1) : settle_early<false>(p + 1);
  });
  std::vector<std::uint32_t> repeating;
  for (Part& part : parts_) {
    num_missed_ += part.missed.size();
    part.entries.reset();
    repeating.insert(repeating.end(), part.repeating.begin(),
                     part.repeating.end());
  }
  if (num_missed_ != 0 || !written_.distinct) {
    const std::vector<std::uint8_t> wanted = wanted_keys();
    const WriteTable table(history_, wanted, split_.threads);
    if (table.has_equal_writes()) return false;
    resolve_missed(table);
  }
  for (const Part& part : parts_) sources.reads += part.reads;
  sources.non_repeatable = find_non_repeatable(history_, sources.of.span(),
                                               repeating, split_.threads);
  return true;
}

}  // namespace awdit
