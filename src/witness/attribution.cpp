// Reads-from by sorting, and the findings of Read Consistency.
//
// Per key the operations are sorted by value, so that a *run* of equal values
// holds every write of that value and every read that returned it. What a read
// is then judged by is all in the key's own operations: the latest own write
// before it, and the last write of the transaction it read from. Lists are
// judged in list_reads.cpp.
#include "witness/attribution.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "witness/list_reads.h"
#include "witness/phrases.h"
#include "witness/value_runs.h"

namespace awdit {
namespace {

// At most one operation in kFew is sorted by itself, or kFew in all.
constexpr std::size_t kFew = 32;

void lay_out(const History& history, Attribution& result) {
  result.op_txn = Array<std::uint32_t>(history.num_ops());
  for (const TxnId txn : history.txns()) {
    for (const OpId op : history.ops(txn)) result.op_txn[op.v] = txn.v;
  }
  // A counting sort is stable: a key's operations stay as we meet them.
  const std::span<const std::uint32_t> words = history.op_words();
  Array<std::uint32_t> next(history.num_keys() + 1u, 0);
  for (const std::uint32_t word : words) ++next[(word >> 1) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  result.key_first = Array<std::uint32_t>(next.size());
  std::ranges::copy(next, result.key_first.begin());
  result.by_key = Array<std::uint32_t>(history.num_ops());
  for (const TxnId txn : history.txns()) {
    for (const OpId op : history.ops(txn)) {
      result.by_key[next[words[op.v] >> 1]++] = op.v;
    }
  }
}

// As above, of some keys only: few operations are sorted, the others are not
// moved at all. False: they are not few, and counting is faster.
bool lay_out_few(const History& history, const std::vector<bool>& wanted,
                 Attribution& result) {
  const std::span<const std::uint32_t> words = history.op_words();
  result.op_txn = Array<std::uint32_t>(history.num_ops());
  std::vector<std::uint32_t> chosen;
  for (const std::uint32_t txn : history.input_order()) {
    for (const OpId op : history.ops(TxnId(txn))) {
      if (!wanted[words[op.v] >> 1]) continue;
      chosen.push_back(op.v);
      result.op_txn[op.v] = txn;
    }
    if (chosen.size() > kFew && chosen.size() > words.size() / kFew) {
      return false;
    }
  }
  std::ranges::sort(chosen, {}, [&](std::uint32_t op) {
    return std::tuple(words[op] >> 1, result.op_txn[op], op);
  });
  result.by_key = Array<std::uint32_t>(chosen.size());
  std::ranges::copy(chosen, result.by_key.begin());
  result.key_first = Array<std::uint32_t>(history.num_keys() + 1u);
  std::uint32_t at = 0;
  for (std::uint32_t key = 0; key < history.num_keys(); ++key) {
    result.key_first[key] = at;
    while (at < chosen.size() && words[chosen[at]] >> 1 == key) ++at;
  }
  result.key_first[history.num_keys()] = at;
  return true;
}

class Judge {
 public:
  Judge(const History& history, Attribution& result)
      : history_(history),
        result_(result),
        runs_(history),
        lists_(history, result) {}

  // Of the keys that wanted(key).
  template <typename Wanted>
  void run(Wanted&& wanted) {
    for (std::uint32_t key = 0; key < history_.num_keys(); ++key) {
      if (!wanted(key)) continue;
      const std::span<const std::uint32_t> ops = result_.ops_on(KeyId(key));
      if (history_.has_lists()) {
        lists_.judge(ops);
      } else {
        judge(ops);
      }
      if (!result_.malformed.empty()) return;
      find_unrepeatable(ops);
    }

    std::ranges::sort(result_.findings, {}, &ReadFinding::read);
    std::ranges::sort(result_.unrepeatable, {}, &ReadFinding::read);
  }

 private:
  static constexpr std::uint32_t kNone = Attribution::kNone;

  bool is_write(std::uint32_t op) const { return history_.is_write(OpId(op)); }

  void find_own_writes(std::span<const std::uint32_t> ops) {
    before_.resize(ops.size());
    last_.resize(ops.size());
    std::uint32_t txn = kNone;
    std::uint32_t write = kNone;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (result_.op_txn[ops[i]] != txn) write = kNone;
      txn = result_.op_txn[ops[i]];
      before_[i] = write;
      if (is_write(ops[i])) write = ops[i];
    }
    txn = kNone;
    for (std::size_t i = ops.size(); i-- > 0;) {
      if (result_.op_txn[ops[i]] != txn) write = kNone;
      txn = result_.op_txn[ops[i]];
      if (write == kNone && is_write(ops[i])) write = ops[i];
      last_[i] = write;
    }
  }

  void judge(std::span<const std::uint32_t> ops) {
    find_own_writes(ops);
    runs_.sort(ops);
    for (ValueRuns::Run run; runs_.next(run);) judge(ops, run);
  }

  void judge(std::span<const std::uint32_t> ops, const ValueRuns::Run& run) {
    // The write that reads of this value returned: entry number, or kNone.
    std::uint32_t write = kNone;
    for (const std::uint32_t i : run.writes) {
      const bool counted = counts(ops[i]);
      if (!counted && !is_aborted(ops[i])) continue;
      if (write == kNone || (counted && !counts(ops[write]))) {
        write = i;
      } else if (counted) {
        if (result_.malformed.empty()) {
          result_.malformed =
              describe_twin(history_, OpId(ops[write]), OpId(ops[i]));
        }
        return;
      }
    }
    const bool initial = history_.is_initial(run.value);
    for (const std::uint32_t i : run.reads) {
      if (!counts(ops[i])) continue;
      judge_read(ops, i, write, initial && run.writes.empty());
    }
  }

  bool counts(std::uint32_t op) const {
    return result_.counts[result_.op_txn[op]] != 0;
  }
  bool is_aborted(std::uint32_t op) const {
    return history_.status(TxnId(result_.op_txn[op])) == Status::aborted;
  }

  void judge_read(std::span<const std::uint32_t> ops, std::uint32_t i,
                  std::uint32_t write_entry, bool initial) {
    const std::uint32_t read = ops[i];
    if (write_entry == kNone && !initial) {
      report(Kind::thin_air_read, read, kNone, kNone);
      return;
    }
    const std::uint32_t own = before_[i];
    if (initial) {
      if (own != kNone) {
        report(Kind::own_write_ignored, read, kNone, own);
      } else {
        result_.source[read] = Attribution::kInit;
      }
      return;
    }
    const std::uint32_t write = ops[write_entry];
    if (!counts(write)) {
      report(Kind::aborted_read, read, write, kNone);
    } else if (result_.op_txn[write] == result_.op_txn[read]) {
      if (write > read) {
        report(Kind::future_read, read, write, kNone);
      } else if (write != own) {
        report(Kind::stale_own_write, read, write, own);
      }
    } else if (own != kNone) {
      report(Kind::own_write_ignored, read, write, own);
    } else if (write != last_[write_entry]) {
      report(Kind::intermediate_read, read, write, last_[write_entry]);
    } else {
      result_.source[read] = write;
    }
  }

  void find_unrepeatable(std::span<const std::uint32_t> ops) {
    std::uint32_t txn = kNone;
    std::uint32_t first = kNone;
    for (const std::uint32_t op : ops) {
      if (result_.source[op] == kNone) continue;
      if (result_.op_txn[op] != txn) {
        txn = result_.op_txn[op];
        first = op;
      } else if (result_.source[op] != result_.source[first]) {
        // Two valid reads of one key return the last write of their writers:
        // different writes mean different writers.
        const std::uint32_t write = result_.source[op];
        result_.unrepeatable.push_back(
            {Kind::non_repeatable_read, OpId(op),
             write == Attribution::kInit ? OpId() : OpId(write), OpId(first)});
      }
    }
  }

  void report(Kind kind, std::uint32_t read, std::uint32_t write,
              std::uint32_t other) {
    result_.findings.push_back({kind, OpId(read), OpId(write), OpId(other)});
  }

  const History& history_;
  Attribution& result_;
  ValueRuns runs_;
  ListJudge lists_;
  // [entry of the key] -> the latest own write before it, or kNone
  std::vector<std::uint32_t> before_;
  // [entry of the key] -> the last write of its transaction from there on
  std::vector<std::uint32_t> last_;
};

}  // namespace

std::span<const std::uint32_t> Attribution::ops_on(KeyId key, TxnId txn) const {
  const std::span<const std::uint32_t> all = ops_on(key);
  const auto txn_of = [&](std::uint32_t op) { return op_txn[op]; };
  return {std::ranges::lower_bound(all, txn.v, {}, txn_of),
          std::ranges::upper_bound(all, txn.v, {}, txn_of)};
}

Attribution attribute_reads(const History& history) {
  Attribution result;
  lay_out(history, result);
  result.counts = transactions_that_count(history, result);
  result.source = Array<std::uint32_t>(history.num_ops(), Attribution::kNone);
  Judge(history, result).run([](std::uint32_t) { return true; });
  return result;
}

Attribution attribute_reads(const History& history, std::span<const KeyId> keys,
                            const Array<std::uint8_t>& counts) {
  std::vector<bool> wanted(history.num_keys(), false);
  for (const KeyId key : keys) wanted[key.v] = true;
  Attribution result;
  if (!lay_out_few(history, wanted, result)) lay_out(history, result);
  result.counts = Array<std::uint8_t>(counts.size());
  std::ranges::copy(counts, result.counts.begin());
  // Only the pages of operations on these keys are ever touched.
  result.source = Array<std::uint32_t>(history.num_ops());
  for (const std::uint32_t op : result.by_key) {
    result.source[op] = Attribution::kNone;
  }
  Judge(history, result).run([&](std::uint32_t key) { return wanted[key]; });
  return result;
}

const ReadFinding* find_finding(const std::vector<ReadFinding>& findings,
                                OpId read) {
  const auto at =
      std::ranges::lower_bound(findings, read, {}, &ReadFinding::read);
  return at != findings.end() && at->read == read ? &*at : nullptr;
}

}  // namespace awdit
